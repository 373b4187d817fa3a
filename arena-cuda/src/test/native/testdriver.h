// A driver for machines without a GPU: the calls of libcuda that the module imports, over host memory. Streams are
// threads, so work that no caller waits for is really still under way. It accepts less than a real driver does: a call
// without a current context, a range past an allocation or a handle of another context is an error here.
#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Device memory has other addresses on the device than on the host; the processor faults there.
#define DEVICE_BIT (1ULL << 48)
#define HOST_BITS (DEVICE_BIT - 1)

#define CALLS(X) \
    X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString) X(cuDeviceGetCount) X(cuDeviceGet) \
    X(cuDeviceGetName) X(cuDeviceGetUuid_v2) X(cuDeviceGetAttribute) X(cuDeviceTotalMem_v2) X(cuDeviceGetPCIBusId) \
    X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxRelease_v2) X(cuCtxSetCurrent) X(cuCtxGetCurrent) \
    X(cuCtxSynchronize) X(cuMemGetInfo_v2) X(cuMemAlloc_v2) X(cuMemFree_v2) X(cuMemHostAlloc) X(cuMemFreeHost) \
    X(cuMemHostRegister_v2) X(cuMemHostUnregister) X(cuMemcpyAsync) \
    X(cuMemsetD8Async) X(cuMemsetD32Async) X(cuStreamCreate) \
    X(cuStreamDestroy_v2) X(cuStreamSynchronize) X(cuStreamQuery) X(cuStreamWaitEvent) X(cuEventCreate) \
    X(cuEventDestroy_v2) X(cuEventRecord) X(cuEventRecordWithFlags) X(cuEventElapsedTime) \
    X(cuEventQuery) X(cuEventSynchronize) X(cuModuleLoadDataEx) X(cuModuleUnload) \
    X(cuModuleGetFunction) X(cuLaunchKernelEx) X(cuFuncGetAttribute) X(cuStreamBeginCapture_v2) X(cuStreamEndCapture) \
    X(cuStreamGetCaptureInfo_v2) X(cuGraphInstantiateWithFlags) X(cuGraphLaunch) X(cuGraphExecDestroy) \
    X(cuGraphDestroy) X(cuGraphExecKernelNodeSetParams_v2) X(pageable)

enum Call {
#define X(name) CALL_##name,
    CALLS(X)
#undef X
    CALL_COUNT
};

enum Code {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    DEVICE_UNAVAILABLE = 46,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    UNSUPPORTED_PTX_VERSION = 222,
    INVALID_HANDLE = 400,
    ILLEGAL_STATE = 401,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    HOST_MEMORY_ALREADY_REGISTERED = 712,
    HOST_MEMORY_NOT_REGISTERED = 713,
    MISALIGNED_ADDRESS = 716,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_UNMATCHED = 903,
    CAPTURE_UNJOINED = 904
};

enum Memory { MEMORY, HOST, REGISTERED };

enum Kind { FREE, CONTEXT, STREAM, EVENT, MODULE, FUNCTION, GRAPH, NODE, EXEC };

typedef struct Object Object;
typedef struct Item Item;
typedef struct Region Region;

#define MAX_PARAMETERS 64

// How a kernel is called, from the list of parameters in its PTX, and the code that stands for it.
typedef struct {
    char name[128];
    int count;
    size_t sizes[MAX_PARAMETERS];
    size_t offsets[MAX_PARAMETERS];
    size_t bytes;
    const struct KernelCode *code;
} Kernel;

// One piece of work of a stream or a graph.
struct Item {
    enum { COPY, FILL8, FILL32, LAUNCH, WAIT, LAUNCH_GRAPH, STAMP } kind;
    Item *next;
    uint64_t position;
    char *to;
    const char *from;
    size_t count;
    uint32_t value;
    Object *stream; // WAIT: until this stream has come to `until`; STAMP: the event
    uint64_t until;
    const struct KernelCode *code;
    unsigned grid[3];
    unsigned block[3];
    uint8_t parameters[4096];
    Item *items; // LAUNCH_GRAPH
};

// What a handle refers to. Objects are used again, with another handle; `submitted` and `completed` only grow, so an
// event of a stream that is gone stays complete.
struct Object {
    enum Kind kind;
    int index;
    unsigned generation;
    Object *context;
    // CONTEXT
    int device;
    int retained;
    int poison;
    // STREAM
    unsigned flags;
    uint64_t submitted;
    uint64_t completed;
    Item *head;
    int held;
    int dying;
    Object *capture; // the graph that its work goes to; an event: the graph in which it was recorded
    int origin;      // whether the capture began on this stream
    int unjoined;    // whether the capture's first stream still has to wait for this one
    int mode;
    pthread_t capturer;
    int broken;
    // EVENT
    Object *stream;
    uint64_t position;
    double stamp; // milliseconds, 0 if a graph has never recorded it
    // FUNCTION: its kernel; NODE: its graph and place
    Kernel kernel;
    Object *owner;
    int place;
    void *last; // GRAPH: handle of its last node
    // GRAPH, EXEC
    Item *items;
};

struct Region {
    Region *next;
    enum Memory kind;
    char *host;
    size_t bytes;
    void *mapping;
    size_t mapped;
    Object *context;
};

enum Needs { NOTHING = 0, INITIALIZED = 1, CURRENT = 2, NO_CAPTURE = 4 };

extern pthread_cond_t changed;
extern __thread Object *current;
extern __thread unsigned current_generation;
extern int hold_all;
extern long driver_version, major, minor;

int enter(enum Call call, int needs);
void leave(int *guard);

// First line of each call: takes the lock until the call returns, and returns at once where the call has to fail.
#define BEGIN(name, needs) \
    __attribute__((cleanup(leave))) int guard = enter(CALL_##name, needs); \
    if (guard != OK) return guard

void lock(void);
void unlock(void);
void await(void); // a change of any object; the lock is free meanwhile
void count_call(enum Call call);

Object *create(enum Kind kind);
void destroy(Object *object);
void *handle(Object *object);
Object *object(void *handle, enum Kind kind); // NULL if there is none, or it belongs to another context
Object *each(enum Kind kind, int *index);

char *device_range(uint64_t address, size_t bytes);
Region *host_range(const void *address, size_t bytes, int *crosses);

void await_idle(Object *context);
void drop_items(Item *items);
void *run_stream(void *stream);
int run_kernel(const Item *item);
const struct KernelCode *find_kernel(const char *name);
