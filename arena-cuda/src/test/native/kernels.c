// Modules from PTX, and kernels: those of src/main/cuda and src/test/cuda, compiled for the host. What PTX says beyond
// versions, names and parameters is not looked at.
#define _GNU_SOURCE
#pragma GCC optimize("no-strict-aliasing")
#include "testdriver.h"
#include "host.h"
#include "../../main/cuda/da_copy_ranges.cu"
#include "../cuda/test_kernels.cu"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parameters of a launch by their offset.
#define U64(offset) (*(const u64 *)(parameters + (offset)))
#define U32(offset) (*(const u32 *)(parameters + (offset)))

// Whether the device may touch ranges: a launch with another one ends as on a GPU.
static int reaches(u64 address, u64 bytes) {
    lock();
    int found = bytes == 0 || device_range(address, bytes) != NULL;
    unlock();
    return found;
}

static void run_da_copy_ranges(const uint8_t *parameters) {
    da_copy_ranges(*(const Jobs *)parameters);
}

static int check_da_copy_ranges(const uint8_t *parameters, const unsigned *grid) {
    const Job *jobs = ((const Jobs *)parameters)->job;
    u64 signals = ((const Jobs *)parameters)->signals;
    int fine = grid[1] <= JOBS && (signals == 0 || reaches(signals, 4ULL * grid[0] * grid[1]));
    for (unsigned i = 0; fine && i < grid[1]; i++) {
        u64 halves = jobs[i].mirror & ~1ULL;
        int own = jobs[i].from < OWN_BYTES && jobs[i].from + jobs[i].bytes <= OWN_BYTES;
        fine = (own || reaches(jobs[i].from, jobs[i].bytes)) && (reaches(jobs[i].to, jobs[i].bytes) || (jobs[i].to == 0 && halves != 0))
                && (halves == 0 || reaches(halves, jobs[i].bytes / 2 + 2 * (jobs[i].mirror & 1)));
    }
    return fine;
}

static void run_test_add(const uint8_t *parameters) { test_add(U64(0), U64(8), U64(16), U32(24)); }

static int check_test_add(const uint8_t *parameters, const unsigned *grid) {
    (void)grid;
    u64 bytes = 4ULL * U32(24);
    return reaches(U64(0), bytes) && reaches(U64(8), bytes) && reaches(U64(16), bytes);
}

static void run_test_scale(const uint8_t *parameters) { test_scale(U64(0), BITS_FLOAT(U32(8)), U32(12)); }

static int check_test_scale(const uint8_t *parameters, const unsigned *grid) {
    (void)grid;
    return reaches(U64(0), 4ULL * U32(12));
}

static void run_test_wait(const uint8_t *parameters) { test_wait(U64(0)); }

static int check_test_wait(const uint8_t *parameters, const unsigned *grid) {
    (void)grid;
    return reaches(U64(0), 4);
}

static void run_test_illegal(const uint8_t *parameters) { test_illegal(U64(0)); }

static int check_test_illegal(const uint8_t *parameters, const unsigned *grid) {
    (void)parameters;
    (void)grid;
    return 0;
}

struct KernelCode {
    const char *name;
    void (*run)(const uint8_t *parameters);
    int (*check)(const uint8_t *parameters, const unsigned *grid);
};

static const struct KernelCode codes[] = {
#define CODE(name) {#name, run_##name, check_##name}
    CODE(da_copy_ranges), CODE(test_add), CODE(test_scale), CODE(test_wait), CODE(test_illegal),
};

// Kernels whose threads wait for each other, in libraries that are built with fibers.cpp.
static struct KernelCode registered[64];
static size_t registered_count;

void register_kernel(const char *name, void (*run)(const uint8_t *parameters)) {
    if (registered_count == sizeof registered / sizeof *registered) {
        fprintf(stderr, "testdriver: no room for kernel %s\n", name);
        abort();
    }
    registered[registered_count++] = (struct KernelCode){name, run, NULL};
}

__attribute__((weak)) void run_fibers(void (*run)(const uint8_t *parameters), const uint8_t *parameters, const unsigned *grid,
                                      unsigned threads);

static const struct KernelCode *find_among(const struct KernelCode *some, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(some[i].name, name) == 0) {
            return &some[i];
        }
    }
    return NULL;
}

const struct KernelCode *find_kernel(const char *name) {
    const struct KernelCode *code = find_among(codes, sizeof codes / sizeof *codes, name);
    return code != NULL ? code : find_among(registered, registered_count, name);
}

static void run_code(const struct KernelCode *code, const uint8_t *parameters, Dimensions grid, Dimensions block) {
    gridDim = grid;
    blockDim = block;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++) {
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++) {
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) {
                for (unsigned thread = block.x * block.y * block.z; thread-- > 0;) {
                    threadIdx.x = thread % block.x;
                    threadIdx.y = thread / block.x % block.y;
                    threadIdx.z = thread / block.x / block.y;
                    code->run(parameters);
                }
            }
        }
    }
}

int run_kernel(const Item *item) {
    if (item->code->check == NULL) {
        run_fibers(item->code->run, item->parameters, item->grid, item->block[0]);
        return OK;
    }
    if (!item->code->check(item->parameters, item->grid)) {
        return ILLEGAL_ADDRESS;
    }
    run_code(item->code, item->parameters, (Dimensions){item->grid[0], item->grid[1], item->grid[2]},
             (Dimensions){item->block[0], item->block[1], item->block[2]});
    return OK;
}

// ---- modules

static int line_of(const char *text, const char *place) {
    int line = 1;
    for (; text < place; text++) {
        line += *text == '\n';
    }
    return line;
}

// Reads `.param .u64 name` and `.param .align 8 .b8 name[1024]`, up to the closing bracket.
static int parse_parameters(Kernel *kernel, const char *text) {
    const char *end = strchr(text, ')');
    if (end == NULL) {
        return 0;
    }
    while ((text = strstr(text, ".param")) != NULL && text < end) {
        int align = 0;
        int bits = 0;
        char type = 0;
        size_t elements = 1;
        text += strlen(".param");
        sscanf(text, " .align %d", &align);
        if (align != 0) {
            text = strchr(strchr(text, '.') + 1, '.');
        }
        if (sscanf(text, " .%c%d %*[^],[)\n][%zu", &type, &bits, &elements) < 2 || kernel->count == MAX_PARAMETERS) {
            return 0;
        }
        size_t size = (size_t)bits / 8 * elements;
        size_t step = align != 0 ? (size_t)align : (size_t)bits / 8;
        size_t offset = (kernel->bytes + step - 1) / step * step;
        kernel->sizes[kernel->count] = size;
        kernel->offsets[kernel->count++] = offset;
        kernel->bytes = offset + size;
    }
    return kernel->bytes <= sizeof((Item *)0)->parameters;
}

static const char *next_entry(const char *text) {
    const char *found = strstr(text, ".entry ");
    return found == NULL ? NULL : found + strlen(".entry ");
}

// What the driver's compiler would object to; writes its log. ptxas gives lines, and no columns.
static int compile(const char *text, char *log, size_t bytes) {
    const char *version = strstr(text, ".version ");
    const char *target = strstr(text, ".target sm_");
    const char *marker = strstr(text, "TESTDRIVER_ERROR");
    if (marker != NULL) {
        snprintf(log, bytes, "ptxas application ptx input, line %d; error   : Unexpected instruction types specified for 'add'\n"
                 "ptxas fatal   : Ptx assembly aborted due to errors", line_of(text, marker));
        return INVALID_PTX;
    }
    if (version == NULL || target == NULL) {
        snprintf(log, bytes, "error   : Binary format for key='0', ident='' is not recognized");
        return INVALID_IMAGE;
    }
    int ptx_major = 0;
    int ptx_minor = 0;
    int architecture = 0;
    sscanf(version, ".version %d.%d", &ptx_major, &ptx_minor);
    sscanf(target, ".target sm_%d", &architecture);
    // PTX 8.0 came with CUDA 12.0, 7.0 with 11.0
    if (10 * (ptx_major + 4) + ptx_minor > (int)(driver_version / 100 + driver_version % 100 / 10)) {
        snprintf(log, bytes, "ptxas application ptx input, line %d; fatal   : Unsupported .version %d.%d; current version is '%ld.%ld'",
                 line_of(text, version), ptx_major, ptx_minor, driver_version / 1000 - 4, driver_version % 1000 / 10);
        return UNSUPPORTED_PTX_VERSION;
    }
    if (architecture > 10 * major + minor) {
        snprintf(log, bytes, "ptxas application ptx input, line %d; fatal   : Unsupported .target 'sm_%d'", line_of(text, target),
                 architecture);
        return INVALID_PTX;
    }
    return OK;
}

int cuModuleLoadDataEx(void **module_handle, const void *image, unsigned count, const int *options, void **values) {
    BEGIN(cuModuleLoadDataEx, CURRENT | NO_CAPTURE);
    char unread[512];
    char *log = unread;
    size_t log_bytes = sizeof unread;
    void *unused;
    void **length = &unused;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == 5) { // CU_JIT_ERROR_LOG_BUFFER
            log = values[i];
        } else if (options[i] == 6) { // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
            length = &values[i]; // the driver writes it back
            log_bytes = (unsigned)(uintptr_t)values[i];
        }
    }
    if (image == NULL) {
        return INVALID_VALUE;
    }
    const char *text = image;
    if (memcmp(text, "\177ELF", 4) == 0) { // tests write a cubin as this and PTX
        text += 4;
    }
    log[0] = 0;
    int code = compile(text, log, log_bytes);
    *length = (void *)strlen(log);
    if (code != OK) {
        return code;
    }
    Object *module = create(MODULE);
    *module_handle = handle(module);
    for (const char *entry = text; (entry = next_entry(entry)) != NULL;) {
        Object *function = create(FUNCTION);
        function->owner = module;
        sscanf(entry, "%127[A-Za-z0-9_$]", function->kernel.name);
        function->kernel.code = find_kernel(function->kernel.name);
        if (!parse_parameters(&function->kernel, entry)) {
            return INVALID_PTX;
        }
    }
    return OK;
}

static Object *next_function(Object *module, int *index) {
    Object *function;
    while ((function = each(FUNCTION, index)) != NULL && function->owner != module) {
    }
    return function;
}

int cuModuleUnload(void *module_handle) {
    BEGIN(cuModuleUnload, CURRENT | NO_CAPTURE);
    Object *module = object(module_handle, MODULE);
    if (module == NULL) {
        return INVALID_HANDLE;
    }
    int index = 0;
    for (Object *function; (function = next_function(module, &index)) != NULL;) {
        destroy(function);
    }
    destroy(module);
    return OK;
}

int cuModuleGetFunction(void **function_handle, void *module_handle, const char *name) {
    BEGIN(cuModuleGetFunction, CURRENT);
    Object *module = object(module_handle, MODULE);
    if (module == NULL) {
        return INVALID_HANDLE;
    }
    int index = 0;
    for (Object *function; (function = next_function(module, &index)) != NULL;) {
        if (strcmp(function->kernel.name, name) == 0 && function->kernel.code != NULL) {
            *function_handle = handle(function);
            return OK;
        }
    }
    return NOT_FOUND;
}

int cuFuncGetAttribute(int *value, int attribute, void *function_handle) {
    BEGIN(cuFuncGetAttribute, CURRENT);
    static const int values[] = {1024, 0, 0, 0, 32, 80, 90}; // threads, shared, const, local, registers, versions
    if (object(function_handle, FUNCTION) == NULL) {
        return INVALID_HANDLE;
    }
    if (attribute < 0 || attribute >= (int)(sizeof values / sizeof *values)) {
        return INVALID_VALUE;
    }
    *value = values[attribute];
    return OK;
}

// Runs a kernel over memory of the host, for tests of the kernels alone; no context, no stream.
void testdriver_run(const char *kernel, const uint8_t *parameters, unsigned grid_x, unsigned grid_y, unsigned block_x) {
    const struct KernelCode *code = find_kernel(kernel);
    if (code == NULL) {
        fprintf(stderr, "testdriver: no kernel %s\n", kernel);
        abort();
    }
    run_code(code, parameters, (Dimensions){grid_x, grid_y, 1}, (Dimensions){block_x, 1, 1});
}
