// State that all calls share, control by the tests, devices, contexts and memory.
#define _GNU_SOURCE
#include "testdriver.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_DEVICES 8
#define MAX_OBJECTS 65536
#define MAX_RULES 64
#define PAGE 4096UL
// Allocations begin at an odd multiple of this: a driver promises no more.
#define ALIGNMENT 512

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
__thread Object *current;
__thread unsigned current_generation;

static const char *const names[] = {
#define X(name) #name,
    CALLS(X)
#undef X
};

static long calls[CALL_COUNT];
static struct {
    int call, left, always, code;
} rules[MAX_RULES];

static Object *objects[MAX_OBJECTS];
static int object_count;
static int free_queue[MAX_OBJECTS]; // used again as late as can be, so that a stale handle is noticed
static int free_first, free_count;
static Region *regions;
static Object *primary[MAX_DEVICES];
static size_t used[MAX_DEVICES];
static int lost[MAX_DEVICES]; // the error of a context that is gone: a process cannot make another one on that GPU
static long leaked;

static int initialized;
static pid_t process;
int hold_all;
long driver_version, major, minor;
static long memory_bytes, devices, init_error, compute_mode;

void lock(void) { pthread_mutex_lock(&mutex); }

void unlock(void) { pthread_mutex_unlock(&mutex); }

void await(void) { pthread_cond_wait(&changed, &mutex); }

void leave(int *guard) {
    (void)guard;
    unlock();
}

void count_call(enum Call call) { calls[call]++; }

static int poisons(int code) { return (code >= 700 && code <= 719 && code != 712 && code != 713) || code == 214 || code == 220; }

static int is_current(void) { return current != NULL && current->kind == CONTEXT && current->generation == current_generation; }

// A capture in global mode forbids such calls to all threads, one in thread-local mode to its own.
static int capture_forbids(void) {
    int index = 0;
    for (Object *stream; (stream = each(STREAM, &index)) != NULL;) {
        if (stream->capture != NULL && stream->origin
                && (stream->mode == 0 || (stream->mode == 1 && pthread_equal(stream->capturer, pthread_self())))) {
            stream->capture->broken = 1;
            return 1;
        }
    }
    return 0;
}

int enter(enum Call call, int needs) {
    lock();
    calls[call]++;
    for (int i = 0; i < MAX_RULES; i++) {
        if (rules[i].code == OK || rules[i].call != (int)call || (!rules[i].always && --rules[i].left > 0)) {
            continue;
        }
        int code = rules[i].code;
        if (!rules[i].always) {
            rules[i].code = OK;
        }
        if (poisons(code) && is_current()) {
            current->poison = code;
        }
        return code;
    }
    if (needs == NOTHING) {
        return OK;
    }
    if (!initialized || process != getpid()) {
        return NOT_INITIALIZED;
    }
    if (needs & CURRENT) {
        if (!is_current()) {
            return INVALID_CONTEXT;
        }
        if (current->poison != OK) {
            return current->poison;
        }
    }
    return (needs & NO_CAPTURE) && capture_forbids() ? CAPTURE_UNSUPPORTED : OK;
}

// ---- objects

void *handle(Object *object) {
    return (void *)(0x7E000000000000ULL | (uint64_t)(object->generation & 0xFFFFFFF) << 20 | (uint64_t)object->index << 4);
}

Object *object(void *handle, enum Kind kind) {
    uint64_t bits = (uint64_t)handle;
    int index = (int)(bits >> 4 & 0xFFFF);
    if (bits >> 48 != 0x7E || index >= object_count) {
        return NULL;
    }
    Object *found = objects[index];
    if (found->kind != kind || (found->generation & 0xFFFFFFF) != (bits >> 20 & 0xFFFFFFF)) {
        return NULL;
    }
    return kind == CONTEXT || kind == GRAPH || kind == NODE || found->context == current ? found : NULL;
}

Object *each(enum Kind kind, int *index) {
    while (*index < object_count) {
        Object *object = objects[(*index)++];
        if (object->kind == kind) {
            return object;
        }
    }
    return NULL;
}

Object *create(enum Kind kind) {
    Object *object;
    if (free_count > 64 || object_count == MAX_OBJECTS) {
        object = objects[free_queue[free_first]];
        free_first = (free_first + 1) % MAX_OBJECTS;
        free_count--;
    } else {
        object = objects[object_count] = calloc(1, sizeof(Object));
        object->index = object_count++;
    }
    Object fresh = {.kind = kind, .index = object->index, .generation = object->generation + 1, .context = current, .submitted = object->submitted,
                    .completed = object->completed};
    *object = fresh;
    return object;
}

void destroy(Object *object) {
    object->kind = FREE;
    free_queue[(free_first + free_count++) % MAX_OBJECTS] = object->index;
}

// ---- control by the tests

static int call_of(const char *name) {
    for (int i = 0; i < CALL_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "testdriver: no call %s\n", name);
    abort();
}

// What a test may set, and what it is at the start unless a variable such as TESTDRIVER_MEMORY says otherwise.
static const struct {
    const char *key;
    long *value;
    long initially;
} settings[] = {
    {"memory", &memory_bytes, 8L << 30}, {"devices", &devices, 1}, {"version", &driver_version, 12080},
    {"init_error", &init_error, OK},     {"compute_mode", &compute_mode, 0},
    {"major", &major, 9},                {"minor", &minor, 0},
};
#define SETTINGS (sizeof settings / sizeof *settings)

static long initial(size_t setting) {
    char name[32] = "TESTDRIVER_";
    size_t length = strlen(name);
    for (const char *letter = settings[setting].key; *letter != 0; letter++) {
        name[length++] = (char)toupper(*letter);
    }
    const char *text = getenv(name);
    return text != NULL ? atol(text) : settings[setting].initially;
}

void testdriver_reset(void) {
    lock();
    memset(calls, 0, sizeof calls);
    memset(rules, 0, sizeof rules);
    hold_all = 0;
    int index = 0;
    for (Object *stream; (stream = each(STREAM, &index)) != NULL;) {
        stream->held = 0;
    }
    leaked = 0;
    memset(lost, 0, sizeof lost);
    for (size_t i = 0; i < SETTINGS; i++) {
        *settings[i].value = initial(i);
    }
    pthread_cond_broadcast(&changed);
    unlock();
}

void testdriver_set(const char *key, long value) {
    for (size_t i = 0; i < SETTINGS; i++) {
        if (strcmp(settings[i].key, key) == 0) {
            lock();
            *settings[i].value = value;
            unlock();
            return;
        }
    }
    fprintf(stderr, "testdriver: no setting %s\n", key);
    abort();
}

void testdriver_fail(const char *call, int nth, int code) {
    lock();
    for (int i = 0; i < MAX_RULES; i++) {
        if (rules[i].code == OK) {
            rules[i].call = call_of(call);
            rules[i].left = nth;
            rules[i].always = nth == 0;
            rules[i].code = code;
            unlock();
            return;
        }
    }
    abort();
}

long testdriver_calls(const char *name) {
    lock();
    long count = calls[call_of(name)];
    unlock();
    return count;
}

long testdriver_live(const char *kind) {
    static const char *const kinds[] = {"", "", "stream", "event", "module", "function", "graph", "node", "exec"};
    static const char *const memories[] = {"memory", "host", "registered"};
    lock();
    long count = 0;
    for (int i = 0; i < MAX_DEVICES; i++) {
        count += strcmp(kind, "bytes") == 0 ? (long)used[i] : 0;
        count += strcmp(kind, "context") == 0 && primary[i] != NULL ? primary[i]->retained : 0;
    }
    count += strcmp(kind, "leaked") == 0 ? leaked : 0;
    for (int i = 0; i < object_count; i++) {
        count += objects[i]->kind > CONTEXT && !objects[i]->dying && strcmp(kinds[objects[i]->kind], kind) == 0;
    }
    for (Region *region = regions; region != NULL; region = region->next) {
        count += strcmp(memories[region->kind], kind) == 0;
    }
    unlock();
    return count;
}

static void set_held(void *stream, int held) {
    lock();
    int index = 0;
    for (Object *each_stream; (each_stream = each(STREAM, &index)) != NULL;) {
        if (stream == NULL || handle(each_stream) == stream) {
            each_stream->held = held;
        }
    }
    if (stream == NULL) {
        hold_all = held;
    }
    pthread_cond_broadcast(&changed);
    unlock();
}

void testdriver_hold(void *stream) { set_held(stream, 1); }

void testdriver_release(void *stream) { set_held(stream, 0); }

// The threads of streams never end before the process does, so the library stays.
__attribute__((constructor)) static void stay(void) {
    Dl_info info;
    if (dladdr((void *)stay, &info) != 0) {
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NODELETE | RTLD_NOLOAD);
    }
    testdriver_reset();
}

// ---- errors, devices, contexts

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {401, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
    {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "forward compatibility was attempted on non supported HW"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
    {903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not initiated in this stream"},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

int cuGetErrorName(int code, const char **name) {
    BEGIN(cuGetErrorName, NOTHING);
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == code) {
            *name = errors[i].name;
        }
    }
    return *name == NULL ? INVALID_VALUE : OK;
}

int cuGetErrorString(int code, const char **text) {
    BEGIN(cuGetErrorString, NOTHING);
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == code) {
            *text = errors[i].text;
        }
    }
    return *text == NULL ? INVALID_VALUE : OK;
}

// The devices that CUDA_VISIBLE_DEVICES leaves, up to the first entry that is none.
static int visible(int *ordinals) {
    const char *text = getenv("CUDA_VISIBLE_DEVICES");
    int count = 0;
    while (count < devices && count < MAX_DEVICES) {
        char *end;
        long ordinal = text == NULL ? count : strtol(text, &end, 10);
        if (text != NULL && (end == text || ordinal < 0 || ordinal >= devices)) {
            break;
        }
        ordinals[count++] = (int)ordinal;
        if (text != NULL && *end != ',') {
            break;
        }
        text = text == NULL ? NULL : end + 1;
    }
    return count;
}

static int is_device(int device) {
    int ordinals[MAX_DEVICES];
    int count = visible(ordinals);
    for (int i = 0; i < count; i++) {
        if (ordinals[i] == device) {
            return 1;
        }
    }
    return 0;
}

int cuInit(unsigned flags) {
    BEGIN(cuInit, NOTHING);
    int ordinals[MAX_DEVICES];
    if (initialized && process != getpid()) {
        return NOT_INITIALIZED;
    }
    if (flags != 0 || init_error != OK) {
        return flags != 0 ? INVALID_VALUE : (int)init_error;
    }
    if (visible(ordinals) == 0) {
        return NO_DEVICE;
    }
    initialized = 1;
    process = getpid();
    return OK;
}

int cuDriverGetVersion(int *version) {
    BEGIN(cuDriverGetVersion, NOTHING);
    *version = (int)driver_version;
    return OK;
}

int cuDeviceGetCount(int *count) {
    BEGIN(cuDeviceGetCount, INITIALIZED);
    int ordinals[MAX_DEVICES];
    *count = visible(ordinals);
    return OK;
}

int cuDeviceGet(int *device, int ordinal) {
    BEGIN(cuDeviceGet, INITIALIZED);
    int ordinals[MAX_DEVICES];
    if (ordinal < 0 || ordinal >= visible(ordinals)) {
        return INVALID_DEVICE;
    }
    *device = ordinals[ordinal];
    return OK;
}

int cuDeviceGetName(char *name, int length, int device) {
    BEGIN(cuDeviceGetName, INITIALIZED);
    snprintf(name, (size_t)length, "test driver over host memory %d", device);
    return is_device(device) ? OK : INVALID_DEVICE;
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device) {
    BEGIN(cuDeviceGetUuid_v2, INITIALIZED);
    for (int i = 0; i < 16; i++) {
        uuid[i] = (unsigned char)(16 * device + i);
    }
    return is_device(device) ? OK : INVALID_DEVICE;
}

int cuDeviceGetPCIBusId(char *id, int length, int device) {
    BEGIN(cuDeviceGetPCIBusId, INITIALIZED);
    snprintf(id, (size_t)length, "0000:%02X:00.0", device + 1);
    return is_device(device) ? OK : INVALID_DEVICE;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    BEGIN(cuDeviceTotalMem_v2, INITIALIZED);
    *bytes = (size_t)memory_bytes;
    return is_device(device) ? OK : INVALID_DEVICE;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    BEGIN(cuDeviceGetAttribute, INITIALIZED);
    const struct {
        int attribute;
        long value;
    } values[] = {
        {1, 1024},        // threads a block
        {2, 1024},        {3, 1024}, {4, 64},         // a block's x, y, z
        {5, 0x7FFFFFFF},  {6, 65535}, {7, 65535},     // a grid's x, y, z
        {8, 48 << 10},    // shared memory a block
        {10, 32},         // threads a warp
        {16, 4},          // multiprocessors
        {18, 0},          // integrated
        {19, 1},          // maps host memory
        {20, compute_mode},
        {31, 1},          // concurrent kernels
        {33, device + 1}, {34, 0}, {50, 0},           // PCI bus, device, domain
        {40, 2},          // copy engines
        {41, 1},          // unified addressing
        {75, major},      {76, minor},
        {91, 0},          // registered host memory has another address on the device
        {97, 96 << 10},   // shared memory a block on request
    };
    if (!is_device(device)) {
        return INVALID_DEVICE;
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i].attribute == attribute) {
            *value = (int)values[i].value;
            return OK;
        }
    }
    return INVALID_VALUE;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    BEGIN(cuDevicePrimaryCtxRetain, INITIALIZED);
    if (!is_device(device)) {
        return INVALID_DEVICE;
    }
    if (compute_mode != 0) {
        return DEVICE_UNAVAILABLE;
    }
    if (lost[device] != OK) {
        return lost[device];
    }
    if (primary[device] == NULL) {
        primary[device] = create(CONTEXT);
        primary[device]->device = device;
    }
    primary[device]->retained++;
    *context = handle(primary[device]);
    return OK;
}

static void unmap(Region *region) {
    if (region->kind == MEMORY) {
        used[region->context->device] -= region->bytes;
    }
    if (region->mapping != NULL) {
        munmap(region->mapping, region->mapped);
    }
    Region **link = &regions;
    while (*link != region) {
        link = &(*link)->next;
    }
    *link = region->next;
    free(region);
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    BEGIN(cuDevicePrimaryCtxRelease_v2, INITIALIZED);
    if (!is_device(device) || primary[device] == NULL) {
        return is_device(device) ? INVALID_CONTEXT : INVALID_DEVICE;
    }
    Object *context = primary[device];
    if (--context->retained > 0) {
        return OK;
    }
    await_idle(context);
    for (int i = 0; i < object_count; i++) {
        Object *object = objects[i];
        if (object->context != context || object->kind == FREE || object->kind == CONTEXT || object->dying) {
            continue;
        }
        leaked += object->kind != FUNCTION && object->kind != NODE && !(object->kind == STREAM && object->flags == ~0U);
        if (object->kind == STREAM) {
            object->dying = 1;
        } else {
            drop_items(object->items);
            destroy(object);
        }
    }
    for (Region *region = regions, *next; region != NULL; region = next) {
        next = region->next;
        if (region->context == context) {
            leaked++;
            unmap(region);
        }
    }
    lost[device] = context->poison;
    destroy(context);
    primary[device] = NULL;
    pthread_cond_broadcast(&changed);
    return OK;
}

int cuCtxSetCurrent(void *context) {
    BEGIN(cuCtxSetCurrent, INITIALIZED);
    Object *found = object(context, CONTEXT);
    if (context != NULL && found == NULL) {
        return INVALID_CONTEXT;
    }
    current = found;
    current_generation = found == NULL ? 0 : found->generation;
    return OK;
}

int cuCtxGetCurrent(void **context) {
    BEGIN(cuCtxGetCurrent, INITIALIZED);
    *context = is_current() ? handle(current) : NULL;
    return OK;
}

// ---- memory

static Region *map(enum Memory kind, size_t bytes) {
    Region *region = calloc(1, sizeof(Region));
    region->mapped = (bytes + ALIGNMENT + 2 * PAGE) & ~(PAGE - 1);
    region->mapping = mmap(NULL, region->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region->mapping == MAP_FAILED) {
        free(region);
        return NULL;
    }
    region->kind = kind;
    region->host = (char *)region->mapping + ALIGNMENT;
    region->bytes = bytes;
    region->context = current;
    size_t dirty = bytes < 16 * PAGE ? bytes : 16 * PAGE; // fresh memory is not zero
    memset(region->host, 0xCD, dirty);
    memset(region->host + bytes - dirty, 0xCD, dirty);
    region->next = regions;
    regions = region;
    return region;
}

static Region *at(const char *host, enum Memory kind) {
    for (Region *region = regions; region != NULL; region = region->next) {
        if (region->host == host && region->kind == kind) {
            return region;
        }
    }
    return NULL;
}

// The host's address of a range of device memory or mapped host memory, or NULL.
char *device_range(uint64_t address, size_t bytes) {
    char *host = (char *)(address & HOST_BITS);
    for (Region *region = regions; region != NULL; region = region->next) {
        uint64_t bit = region->kind == MEMORY ? DEVICE_BIT : 0;
        if (address >> 48 == bit >> 48 && host >= region->host && bytes <= region->bytes
                && (size_t)(host - region->host) <= region->bytes - bytes) {
            return host;
        }
    }
    return NULL;
}

// The page-locked memory in which a range begins, or NULL.
Region *host_range(const void *address, size_t bytes, int *crosses) {
    const char *host = address;
    *crosses = 0;
    for (Region *region = regions; region != NULL; region = region->next) {
        if (region->kind != MEMORY && host < region->host + region->bytes && host + bytes > region->host) {
            *crosses = host < region->host || host + bytes > region->host + region->bytes;
            return region;
        }
    }
    return NULL;
}

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    BEGIN(cuMemGetInfo_v2, CURRENT);
    *total = (size_t)memory_bytes;
    *free_bytes = used[current->device] > *total ? 0 : *total - used[current->device];
    return OK;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    BEGIN(cuMemAlloc_v2, CURRENT | NO_CAPTURE);
    if (bytes == 0) {
        return INVALID_VALUE;
    }
    size_t rounded = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (rounded < bytes || used[current->device] + rounded > (size_t)memory_bytes) {
        return OUT_OF_MEMORY;
    }
    Region *region = map(MEMORY, bytes);
    if (region == NULL) {
        return OUT_OF_MEMORY;
    }
    used[current->device] += bytes;
    *address = (uint64_t)region->host | DEVICE_BIT;
    return OK;
}

int cuMemFree_v2(uint64_t address) {
    BEGIN(cuMemFree_v2, CURRENT | NO_CAPTURE);
    if (address == 0) {
        return OK;
    }
    if (address >> 48 != 1 || at((char *)(address & HOST_BITS), MEMORY) == NULL) {
        return INVALID_VALUE;
    }
    await_idle(current);
    Region *region = at((char *)(address & HOST_BITS), MEMORY);
    if (region == NULL) {
        return INVALID_VALUE;
    }
    unmap(region);
    return OK;
}

int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    BEGIN(cuMemHostAlloc, CURRENT | NO_CAPTURE);
    if (bytes == 0 || flags > 7) {
        return INVALID_VALUE;
    }
    Region *region = map(HOST, bytes);
    if (region == NULL) {
        return OUT_OF_MEMORY;
    }
    *address = region->host;
    return OK;
}

int cuMemFreeHost(void *address) {
    BEGIN(cuMemFreeHost, CURRENT | NO_CAPTURE);
    if (at(address, HOST) == NULL) {
        return INVALID_VALUE;
    }
    await_idle(current);
    Region *region = at(address, HOST);
    if (region == NULL) {
        return INVALID_VALUE;
    }
    unmap(region);
    return OK;
}

int cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
    BEGIN(cuMemHostRegister_v2, CURRENT | NO_CAPTURE);
    int crosses;
    if (address == NULL || bytes == 0 || flags > 15 || (uint64_t)address >> 47 != 0) {
        return INVALID_VALUE;
    }
    if (host_range(address, bytes, &crosses) != NULL) {
        return HOST_MEMORY_ALREADY_REGISTERED;
    }
    Region *region = calloc(1, sizeof(Region));
    region->kind = REGISTERED;
    region->host = address;
    region->bytes = bytes;
    region->context = current;
    region->next = regions;
    regions = region;
    return OK;
}

int cuMemHostUnregister(void *address) {
    BEGIN(cuMemHostUnregister, CURRENT | NO_CAPTURE);
    if (at(address, REGISTERED) == NULL) {
        return HOST_MEMORY_NOT_REGISTERED;
    }
    await_idle(current);
    Region *region = at(address, REGISTERED);
    if (region != NULL) {
        unmap(region);
    }
    return OK;
}

