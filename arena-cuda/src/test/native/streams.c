// Streams, events, transfers, graphs.
#define _GNU_SOURCE
#include "testdriver.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

// The flags of a context's legacy stream, whose handle is NULL.
#define LEGACY (~0U)
#define NON_BLOCKING 1
#define CAPTURING 1
#define RECORD_EXTERNAL 1
#define BIG (1UL << 20)

// ---- work of a stream

void drop_items(Item *items) {
    while (items != NULL) {
        Item *next = items->next;
        drop_items(items->items);
        free(items);
        items = next;
    }
}

static Item *copy_of(const Item *item) {
    Item *copy = malloc(sizeof(Item));
    *copy = *item;
    copy->next = NULL;
    return copy;
}

static void append(Item **list, Item *item) {
    while (*list != NULL) {
        list = &(*list)->next;
    }
    *list = item;
}

// Zeros, without a page of memory for each page of a large range.
static void zero(char *to, size_t bytes) {
    char *first = (char *)(((uintptr_t)to + 4095) & ~4095UL);
    char *last = (char *)(((uintptr_t)to + bytes) & ~4095UL);
    if (bytes < BIG || madvise(first, (size_t)(last - first), MADV_DONTNEED) != 0) {
        memset(to, 0, bytes);
        return;
    }
    memset(to, 0, (size_t)(first - to));
    memset(last, 0, (size_t)(to + bytes - last));
}

// Does a piece of work, outside the lock. Returns what happened to the context.
static int run(const Item *item) {
    switch (item->kind) {
        case COPY:
            memcpy(item->to, item->from, item->count);
            return OK;
        case FILL8:
            if (item->value == 0) {
                zero(item->to, item->count);
            } else {
                memset(item->to, (int)item->value, item->count);
            }
            return OK;
        case FILL32:
            for (size_t i = 0; i < item->count; i++) {
                memcpy(item->to + 4 * i, &item->value, 4);
            }
            return OK;
        case LAUNCH:
            return run_kernel(item);
        case LAUNCH_GRAPH:
            for (const Item *each_item = item->items; each_item != NULL; each_item = each_item->next) {
                int code = run(each_item);
                if (code != OK) {
                    return code;
                }
            }
            return OK;
        case WAIT:
            return OK;
        case STAMP: {
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            item->stream->stamp = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
            return OK;
        }
    }
    abort();
}

static int ready(const Object *stream) {
    const Item *item = stream->head;
    return item != NULL && !stream->held && !hold_all && (item->kind != WAIT || item->stream->completed >= item->until);
}

void *run_stream(void *argument) {
    Object *stream = argument;
    lock();
    for (;;) {
        while (!ready(stream)) {
            if (stream->dying && stream->head == NULL) {
                destroy(stream);
                unlock();
                return NULL;
            }
            await();
        }
        Item *item = stream->head;
        Object *context = stream->context;
        if (context->poison == OK) {
            unlock();
            int code = run(item);
            lock();
            context->poison = code != OK ? code : context->poison;
        }
        stream->head = item->next;
        stream->completed = item->position;
        item->next = NULL;
        drop_items(item);
        pthread_cond_broadcast(&changed);
    }
}

static Object *start_stream(unsigned flags) {
    Object *stream = create(STREAM);
    stream->flags = flags;
    stream->held = hold_all;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 18);
    if (pthread_create(&thread, &attributes, run_stream, stream) != 0) {
        abort();
    }
    pthread_attr_destroy(&attributes);
    return stream;
}

static Object *legacy(int make) {
    int index = 0;
    for (Object *stream; (stream = each(STREAM, &index)) != NULL;) {
        if (stream->context == current && stream->flags == LEGACY && !stream->dying) {
            return stream;
        }
    }
    return make ? start_stream(LEGACY) : NULL;
}

static Object *stream_of(void *stream) {
    Object *found = stream == NULL ? legacy(1) : object(stream, STREAM);
    return found == NULL || found->dying ? NULL : found;
}

static void enqueue(Object *stream, Item *item) {
    item->position = ++stream->submitted;
    append(&stream->head, item);
    pthread_cond_broadcast(&changed);
}

static void enqueue_wait(Object *stream, Object *other, uint64_t until) {
    if (other != NULL && other != stream && other->completed < until) {
        Item item = {.kind = WAIT, .stream = other, .until = until};
        enqueue(stream, copy_of(&item));
    }
}

// The legacy stream and those that were not created as non-blocking wait for each other.
static void order_legacy(Object *stream) {
    if (stream->flags == NON_BLOCKING) {
        return;
    }
    if (stream->flags != LEGACY) {
        Object *other = legacy(0);
        enqueue_wait(stream, other, other == NULL ? 0 : other->submitted);
        return;
    }
    int index = 0;
    for (Object *other; (other = each(STREAM, &index)) != NULL;) {
        if (other->context == stream->context && other->flags == 0 && other->capture == NULL) {
            enqueue_wait(stream, other, other->submitted);
        }
    }
}

static int submit(Object *stream, Item *item) {
    Object *graph = stream->capture;
    if (graph == NULL) {
        order_legacy(stream);
        enqueue(stream, copy_of(item));
        return OK;
    }
    if (graph->broken) {
        return CAPTURE_INVALIDATED;
    }
    Object *node = create(NODE);
    node->owner = graph;
    node->place = (int)graph->position++;
    graph->last = handle(node);
    stream->unjoined = !stream->origin;
    append(&graph->items, copy_of(item));
    return OK;
}

static void await_position(Object *stream, uint64_t position) {
    while (stream->completed < position) {
        await();
    }
}

void await_idle(Object *context) {
    int index = 0;
    for (Object *stream; (stream = each(STREAM, &index)) != NULL;) {
        if (stream->context == context) {
            await_position(stream, stream->submitted);
        }
    }
}

// ---- transfers

// `pageable`: memory that is not page-locked, for which the caller waits as the driver's own copy would.
static int transfer(void *stream_handle, char *to, const char *from, size_t bytes, int pageable) {
    Object *stream = stream_of(stream_handle);
    if (stream == NULL) {
        return INVALID_HANDLE;
    }
    if (to == NULL || from == NULL) {
        return INVALID_VALUE;
    }
    Item item = {.kind = COPY, .to = to, .from = from, .count = bytes};
    int code = submit(stream, &item);
    if (code == OK && pageable && stream->capture == NULL) {
        count_call(CALL_pageable);
        await_position(stream, stream->submitted);
        code = current->poison;
    }
    return code;
}

static int host_argument(const void *host, size_t bytes, int *pageable) {
    int crosses;
    *pageable = host_range(host, bytes, &crosses) == NULL;
    return host != NULL && !crosses && (uint64_t)host >> 47 == 0;
}

// An address says by itself whether it is one of the device, as on a machine with one address space.
static void *copied_range(uint64_t address, size_t bytes, int *pageable) {
    if (address & DEVICE_BIT) {
        return device_range(address, bytes);
    }
    int is_pageable;
    void *host = (void *)address;
    if (!host_argument(host, bytes, &is_pageable)) {
        return NULL;
    }
    *pageable |= is_pageable;
    return host;
}

int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
    BEGIN(cuMemcpyAsync, CURRENT);
    if (bytes != 0 && to < from + bytes && from < to + bytes) {
        return INVALID_VALUE; // a real driver copies something
    }
    int pageable = 0;
    void *target = copied_range(to, bytes, &pageable);
    void *source = copied_range(from, bytes, &pageable);
    return bytes == 0 ? OK : transfer(stream, target, source, bytes, pageable);
}

static int fill(void *stream_handle, uint64_t to, int kind, uint32_t value, size_t count, size_t size) {
    Object *stream = stream_of(stream_handle);
    Item item = {.kind = kind, .to = device_range(to, count * size), .value = value, .count = count};
    if (stream == NULL) {
        return INVALID_HANDLE;
    }
    if (item.to == NULL || to % size != 0) {
        return INVALID_VALUE;
    }
    return count == 0 ? OK : submit(stream, &item);
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t count, void *stream) {
    BEGIN(cuMemsetD8Async, CURRENT);
    return fill(stream, to, FILL8, value, count, 1);
}

int cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *stream) {
    BEGIN(cuMemsetD32Async, CURRENT);
    return fill(stream, to, FILL32, value, count, 4);
}

// ---- streams and events

int cuStreamCreate(void **stream, unsigned flags) {
    BEGIN(cuStreamCreate, CURRENT);
    if (flags > 1) {
        return INVALID_VALUE;
    }
    *stream = handle(start_stream(flags));
    return OK;
}

int cuStreamDestroy_v2(void *stream_handle) {
    BEGIN(cuStreamDestroy_v2, CURRENT);
    Object *stream = stream_handle == NULL ? NULL : stream_of(stream_handle);
    if (stream == NULL) {
        return INVALID_HANDLE;
    }
    stream->dying = 1;
    pthread_cond_broadcast(&changed);
    return OK;
}

static int forbidden_in_capture(Object *stream) {
    if (stream->capture == NULL) {
        return OK;
    }
    stream->capture->broken = 1;
    return CAPTURE_UNSUPPORTED;
}

int cuStreamSynchronize(void *stream_handle) {
    BEGIN(cuStreamSynchronize, CURRENT);
    Object *stream = stream_of(stream_handle);
    int code = stream == NULL ? INVALID_HANDLE : forbidden_in_capture(stream);
    if (code == OK) {
        order_legacy(stream);
        await_position(stream, stream->submitted);
        code = current->poison;
    }
    return code;
}

int cuStreamQuery(void *stream_handle) {
    BEGIN(cuStreamQuery, CURRENT);
    Object *stream = stream_of(stream_handle);
    int code = stream == NULL ? INVALID_HANDLE : forbidden_in_capture(stream);
    return code != OK ? code : stream->completed < stream->submitted ? NOT_READY : OK;
}

int cuCtxSynchronize(void) {
    BEGIN(cuCtxSynchronize, CURRENT | NO_CAPTURE);
    await_idle(current);
    return current->poison;
}

int cuEventCreate(void **event, unsigned flags) {
    BEGIN(cuEventCreate, CURRENT);
    if (flags > 7) {
        return INVALID_VALUE;
    }
    Object *made = create(EVENT);
    made->flags = flags;
    made->stamp = 0;
    *event = handle(made);
    return OK;
}

int cuEventDestroy_v2(void *event_handle) {
    BEGIN(cuEventDestroy_v2, CURRENT);
    Object *event = object(event_handle, EVENT);
    if (event == NULL) {
        return INVALID_HANDLE;
    }
    destroy(event);
    return OK;
}

int cuEventRecord(void *event_handle, void *stream_handle) {
    BEGIN(cuEventRecord, CURRENT);
    Object *event = object(event_handle, EVENT);
    Object *stream = stream_of(stream_handle);
    if (event == NULL || stream == NULL) {
        return INVALID_HANDLE;
    }
    order_legacy(stream);
    event->stream = stream;
    event->position = stream->submitted;
    event->capture = stream->capture;
    return OK;
}

// Recorded by each launch of the graph; outside of a capture not needed here.
int cuEventRecordWithFlags(void *event_handle, void *stream_handle, unsigned flags) {
    BEGIN(cuEventRecordWithFlags, CURRENT);
    Object *event = object(event_handle, EVENT);
    Object *stream = stream_of(stream_handle);
    if (event == NULL || stream == NULL) {
        return INVALID_HANDLE;
    }
    if (flags != RECORD_EXTERNAL || stream->capture == NULL) {
        return INVALID_VALUE;
    }
    Item item = {.kind = STAMP, .stream = event};
    return submit(stream, &item);
}

int cuEventElapsedTime(float *milliseconds, void *first_handle, void *second_handle) {
    BEGIN(cuEventElapsedTime, CURRENT | NO_CAPTURE);
    Object *first = object(first_handle, EVENT);
    Object *second = object(second_handle, EVENT);
    if (first == NULL || second == NULL || first->flags != 0 || second->flags != 0 || first->stamp == 0
        || second->stamp == 0) {
        return INVALID_HANDLE;
    }
    *milliseconds = (float)(second->stamp - first->stamp);
    return OK;
}

int cuEventQuery(void *event_handle) {
    BEGIN(cuEventQuery, CURRENT | NO_CAPTURE);
    Object *event = object(event_handle, EVENT);
    if (event == NULL) {
        return INVALID_HANDLE;
    }
    if (event->capture != NULL) {
        return CAPTURE_UNSUPPORTED;
    }
    return event->stream != NULL && event->stream->completed < event->position ? NOT_READY : OK;
}

int cuEventSynchronize(void *event_handle) {
    BEGIN(cuEventSynchronize, CURRENT | NO_CAPTURE);
    Object *event = object(event_handle, EVENT);
    if (event == NULL) {
        return INVALID_HANDLE;
    }
    if (event->capture != NULL) {
        return CAPTURE_UNSUPPORTED;
    }
    if (event->stream != NULL) {
        await_position(event->stream, event->position);
    }
    return current->poison;
}

int cuStreamWaitEvent(void *stream_handle, void *event_handle, unsigned flags) {
    BEGIN(cuStreamWaitEvent, CURRENT);
    Object *event = object(event_handle, EVENT);
    Object *stream = stream_of(stream_handle);
    if (event == NULL || stream == NULL || flags > 1) {
        return event == NULL || stream == NULL ? INVALID_HANDLE : INVALID_VALUE;
    }
    if (event->capture != NULL) { // joins the capture, or is joined by it
        if (stream->capture == NULL) {
            stream->capture = event->capture;
        }
        event->stream->unjoined = 0;
        return OK;
    }
    if (stream->capture != NULL) {
        stream->capture->broken = 1;
        return CAPTURE_UNSUPPORTED;
    }
    enqueue_wait(stream, event->stream, event->position);
    return OK;
}

// ---- graphs

int cuStreamBeginCapture_v2(void *stream_handle, int mode) {
    BEGIN(cuStreamBeginCapture_v2, CURRENT);
    Object *stream = stream_handle == NULL ? NULL : stream_of(stream_handle);
    if (stream == NULL) {
        return stream_handle == NULL ? CAPTURE_UNSUPPORTED : INVALID_HANDLE;
    }
    if (stream->capture != NULL || mode < 0 || mode > 2) {
        return stream->capture != NULL ? ILLEGAL_STATE : INVALID_VALUE;
    }
    stream->capture = create(GRAPH);
    stream->origin = 1;
    stream->mode = mode;
    stream->capturer = pthread_self();
    return OK;
}

static void destroy_graph(Object *graph) {
    int index = 0;
    for (Object *node; (node = each(NODE, &index)) != NULL;) {
        if (node->owner == graph) {
            destroy(node);
        }
    }
    drop_items(graph->items);
    destroy(graph);
}

int cuStreamEndCapture(void *stream_handle, void **graph_handle) {
    BEGIN(cuStreamEndCapture, CURRENT);
    Object *stream = stream_of(stream_handle);
    *graph_handle = NULL;
    if (stream == NULL || stream->capture == NULL) {
        return stream == NULL ? INVALID_HANDLE : ILLEGAL_STATE;
    }
    if (!stream->origin) {
        return CAPTURE_UNMATCHED;
    }
    Object *graph = stream->capture;
    int code = graph->broken ? CAPTURE_INVALIDATED : OK;
    int index = 0;
    for (Object *each_stream; (each_stream = each(STREAM, &index)) != NULL;) {
        if (each_stream->capture == graph) {
            code = code == OK && each_stream->unjoined ? CAPTURE_UNJOINED : code;
            each_stream->capture = NULL;
            each_stream->origin = each_stream->unjoined = 0;
        }
    }
    index = 0;
    for (Object *event; (event = each(EVENT, &index)) != NULL;) {
        if (event->capture == graph) {
            event->capture = event->stream = NULL;
        }
    }
    if (code != OK) {
        destroy_graph(graph);
        return code;
    }
    *graph_handle = handle(graph);
    return OK;
}

int cuStreamGetCaptureInfo_v2(void *stream_handle, int *status, uint64_t *id, void **graph, void ***last, size_t *count) {
    BEGIN(cuStreamGetCaptureInfo_v2, CURRENT);
    Object *stream = stream_of(stream_handle);
    if (stream == NULL || status == NULL) {
        return stream == NULL ? INVALID_HANDLE : INVALID_VALUE;
    }
    Object *found = stream->capture;
    *status = found == NULL ? 0 : found->broken ? 2 : CAPTURING;
    if (*status != CAPTURING) {
        return OK;
    }
    if (id != NULL) {
        *id = (uint64_t)handle(found);
    }
    if (graph != NULL) {
        *graph = handle(found);
    }
    if (last != NULL) {
        *last = &found->last;
    }
    if (count != NULL) {
        *count = found->last != NULL;
    }
    return OK;
}

static Item *copy_items(const Item *items) {
    Item *copy = NULL;
    Item **end = &copy;
    for (; items != NULL; items = items->next) {
        *end = copy_of(items);
        end = &(*end)->next;
    }
    return copy;
}

int cuGraphInstantiateWithFlags(void **exec_handle, void *graph_handle, uint64_t flags) {
    BEGIN(cuGraphInstantiateWithFlags, CURRENT | NO_CAPTURE);
    Object *graph = object(graph_handle, GRAPH);
    if (graph == NULL || flags != 0) {
        return INVALID_VALUE;
    }
    Object *exec = create(EXEC);
    exec->owner = graph;
    exec->items = copy_items(graph->items);
    *exec_handle = handle(exec);
    return OK;
}

int cuGraphLaunch(void *exec_handle, void *stream_handle) {
    BEGIN(cuGraphLaunch, CURRENT);
    Object *exec = object(exec_handle, EXEC);
    Object *stream = stream_of(stream_handle);
    if (exec == NULL || stream == NULL) {
        return INVALID_HANDLE;
    }
    Item item = {.kind = LAUNCH_GRAPH, .items = copy_items(exec->items)};
    return submit(stream, &item);
}

int cuGraphExecDestroy(void *exec_handle) {
    BEGIN(cuGraphExecDestroy, CURRENT);
    Object *exec = object(exec_handle, EXEC);
    if (exec == NULL) {
        return INVALID_VALUE;
    }
    drop_items(exec->items);
    destroy(exec);
    return OK;
}

int cuGraphDestroy(void *graph_handle) {
    BEGIN(cuGraphDestroy, CURRENT);
    Object *graph = object(graph_handle, GRAPH);
    if (graph == NULL) {
        return INVALID_VALUE;
    }
    destroy_graph(graph);
    return OK;
}

// ---- launches

// The bytes of a kernel's parameters, from pointers to each or from one buffer.
static int pack(const Kernel *kernel, void **parameters, void **extra, uint8_t *packed) {
    if (extra != NULL) {
        const void *buffer = NULL;
        size_t bytes = 0;
        for (int i = 0; extra[i] != NULL; i += 2) {
            if (extra[i] == (void *)1) {
                buffer = extra[i + 1];
            } else if (extra[i] == (void *)2) {
                bytes = *(size_t *)extra[i + 1];
            }
        }
        if (parameters != NULL || buffer == NULL || bytes < kernel->bytes || bytes > sizeof((Item *)0)->parameters) {
            return INVALID_VALUE;
        }
        memcpy(packed, buffer, kernel->bytes);
        return OK;
    }
    for (int i = 0; i < kernel->count; i++) {
        if (parameters == NULL || parameters[i] == NULL) {
            return INVALID_VALUE;
        }
        memcpy(packed + kernel->offsets[i], parameters[i], kernel->sizes[i]);
    }
    return OK;
}

static int launch_item(Item *item, void *function_handle, const unsigned *grid, const unsigned *block, unsigned shared,
                       void **parameters, void **extra) {
    static const unsigned most[] = {0x7FFFFFFF, 65535, 65535, 1024, 1024, 64};
    Object *function = object(function_handle, FUNCTION);
    if (function == NULL) {
        return INVALID_HANDLE;
    }
    for (int i = 0; i < 3; i++) {
        if (grid[i] == 0 || grid[i] > most[i] || block[i] == 0 || block[i] > most[3 + i]) {
            return INVALID_VALUE;
        }
        item->grid[i] = grid[i];
        item->block[i] = block[i];
    }
    if (block[0] * block[1] * block[2] > 1024 || shared > 48 << 10) {
        return INVALID_VALUE;
    }
    item->kind = LAUNCH;
    item->code = function->kernel.code;
    return pack(&function->kernel, parameters, extra, item->parameters);
}

typedef struct {
    unsigned grid[3], block[3], shared;
    void *stream;
    const struct {
        int id, padding, value;
    } *attributes;
    unsigned count;
} LaunchConfig;

enum { PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

// A kernel that may start early starts behind the one in front of it: that is allowed too.
int cuLaunchKernelEx(const LaunchConfig *config, void *function, void **parameters, void **extra) {
    BEGIN(cuLaunchKernelEx, CURRENT);
    Object *stream = stream_of(config->stream);
    if (stream == NULL) {
        return INVALID_HANDLE;
    }
    int early = config->count == 1 && config->attributes->id == PROGRAMMATIC_STREAM_SERIALIZATION && config->attributes->value == 1;
    if (config->count != 0 && !early) {
        return INVALID_VALUE;
    }
    Item item = {0};
    int code = launch_item(&item, function, config->grid, config->block, config->shared, parameters, extra);
    return code != OK ? code : submit(stream, &item);
}

typedef struct {
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel, *context;
} KernelNode;

int cuGraphExecKernelNodeSetParams_v2(void *exec_handle, void *node_handle, const KernelNode *parameters) {
    BEGIN(cuGraphExecKernelNodeSetParams_v2, CURRENT);
    Object *exec = object(exec_handle, EXEC);
    Object *node = object(node_handle, NODE);
    if (exec == NULL || node == NULL || node->owner != exec->owner) {
        return INVALID_VALUE;
    }
    Item *item = exec->items;
    for (int i = 0; i < node->place; i++) {
        item = item->next;
    }
    if (item->kind != LAUNCH) {
        return INVALID_VALUE;
    }
    Item changed_item = *item;
    int code = launch_item(&changed_item, parameters->function, parameters->grid, parameters->block, parameters->shared,
                           parameters->parameters, parameters->extra);
    if (code == OK) {
        *item = changed_item;
    }
    return code;
}
