package io.devicearena.cuda.internal.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The functions of the CUDA driver that this backend calls. Each throws for an error: {@link DeviceLostException} for
 * one after which a context answers nothing else, {@link ArenaOutOfMemoryException} for memory, else {@link
 * DeviceException}.
 *
 * <p>Handles, addresses and numbers are all passed as {@code long}: on every platform of the driver an argument takes a
 * register or 8 bytes of the stack, and the driver reads the lower half where it has an {@code int}. So a call
 * allocates nothing on the heap. A wrong number ends the process; callers check ranges and lifetimes first.
 *
 * <p>A call that works on a context needs it to be current on its thread: {@link #setCurrent}. Where nothing else is
 * said it is.
 *
 * <p><b>Source:</b> the CUDA driver API, version 12.0; the names of constants and functions are those of {@code
 * cuda.h}.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class Cuda {
    /** Work has not finished. */
    public static final int ERROR_NOT_READY = 600;

    /** {@code CUDA_ERROR_NO_DEVICE}. */
    public static final int ERROR_NO_DEVICE = 100;

    private static final int ERROR_OUT_OF_MEMORY = 2;
    private static final int ERROR_DEVICE_UNAVAILABLE = 46;
    /** {@code CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK}. */
    private static final int FUNCTION_MAX_THREADS = 0;

    private static final int ERROR_NOT_FOUND = 500;

    /** Errors that a context keeps: of a kernel, of the memory, and of a context that is gone. */
    private static final Set<Integer> LOST = Set.of(4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719);

    /** {@code CU_DEVICE_ATTRIBUTE_…}. */
    public static final int COMPUTE_CAPABILITY_MAJOR = 75;

    public static final int COMPUTE_CAPABILITY_MINOR = 76;
    public static final int INTEGRATED = 18;
    public static final int MULTIPROCESSOR_COUNT = 16;
    public static final int MAX_THREADS_PER_BLOCK = 1;
    public static final int MAX_SHARED_MEMORY_PER_BLOCK = 8;

    /** {@code CU_JIT_…}: options of {@link #loadModule}. */
    private static final int JIT_ERROR_LOG_BUFFER = 5;

    private static final int JIT_ERROR_LOG_BUFFER_SIZE = 6;
    private static final int JIT_LOG_BYTES = 16 << 10;

    private static final long STREAM_NON_BLOCKING = 1;
    private static final long EVENT_DISABLE_TIMING = 2;
    private static final long EVENT_RECORD_EXTERNAL = 1;

    /** CUlaunchConfig, and CUlaunchAttribute: a number, and behind 8 bytes a value. */
    private static final MemoryLayout LAUNCH_CONFIG = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(3, JAVA_INT).withName("gridDim"),
            MemoryLayout.sequenceLayout(3, JAVA_INT).withName("blockDim"),
            JAVA_INT.withName("sharedMemBytes"),
            MemoryLayout.paddingLayout(Integer.BYTES),
            JAVA_LONG.withName("hStream"),
            JAVA_LONG.withName("attrs"),
            JAVA_INT.withName("numAttrs"),
            MemoryLayout.paddingLayout(Integer.BYTES));

    private static final long LAUNCH_ATTRIBUTE_BYTES = 72;
    private static final long ATTRIBUTE_VALUE_OFFSET = 8;
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;
    private static final long HOST_ALLOC_PORTABLE_AND_MAPPED = 1 | 2;
    private static final long CAPTURE_MODE_RELAXED = 2;
    private static final int TEXT_BYTES = 256;
    private static final int UUID_BYTES = 16;

    private static final MethodHandle GET_ERROR_NAME = function("cuGetErrorName", 2);
    private static final MethodHandle GET_ERROR_STRING = function("cuGetErrorString", 2);
    private static final MethodHandle INIT = function("cuInit", 1);
    private static final MethodHandle DRIVER_VERSION = function("cuDriverGetVersion", 1);
    private static final MethodHandle DEVICE_COUNT = function("cuDeviceGetCount", 1);
    private static final MethodHandle DEVICE_GET = function("cuDeviceGet", 2);
    private static final MethodHandle DEVICE_NAME = function("cuDeviceGetName", 3);
    private static final MethodHandle DEVICE_UUID = function("cuDeviceGetUuid_v2", 2);
    private static final MethodHandle DEVICE_ATTRIBUTE = function("cuDeviceGetAttribute", 3);
    private static final MethodHandle DEVICE_TOTAL_MEMORY = function("cuDeviceTotalMem_v2", 2);
    private static final MethodHandle DEVICE_PCI_BUS_ID = function("cuDeviceGetPCIBusId", 3);
    private static final MethodHandle RETAIN_CONTEXT = function("cuDevicePrimaryCtxRetain", 2);
    private static final MethodHandle RELEASE_CONTEXT = function("cuDevicePrimaryCtxRelease_v2", 1);
    private static final MethodHandle SET_CURRENT = function("cuCtxSetCurrent", 1);
    private static final MethodHandle GET_MEMORY_INFO = function("cuMemGetInfo_v2", 2);
    private static final MethodHandle ALLOCATE = function("cuMemAlloc_v2", 2);
    private static final MethodHandle FREE = function("cuMemFree_v2", 1);
    private static final MethodHandle HOST_ALLOCATE = function("cuMemHostAlloc", 3);
    private static final MethodHandle HOST_FREE = function("cuMemFreeHost", 1);
    private static final MethodHandle COPY_TO_DEVICE = function("cuMemcpyHtoDAsync_v2", 4);
    private static final MethodHandle COPY_TO_HOST = function("cuMemcpyDtoHAsync_v2", 4);
    private static final MethodHandle COPY = function("cuMemcpyDtoDAsync_v2", 4);
    private static final MethodHandle SET_BYTES = function("cuMemsetD8Async", 4);
    private static final MethodHandle STREAM_CREATE = function("cuStreamCreate", 2);
    private static final MethodHandle STREAM_DESTROY = function("cuStreamDestroy_v2", 1);
    private static final MethodHandle STREAM_SYNCHRONIZE = function("cuStreamSynchronize", 1);
    private static final MethodHandle STREAM_QUERY = function("cuStreamQuery", 1);
    private static final MethodHandle EVENT_CREATE = function("cuEventCreate", 2);
    private static final MethodHandle EVENT_DESTROY = function("cuEventDestroy_v2", 1);
    private static final MethodHandle EVENT_RECORD = function("cuEventRecord", 2);
    private static final MethodHandle EVENT_RECORD_WITH_FLAGS = function("cuEventRecordWithFlags", 3);
    private static final MethodHandle EVENT_ELAPSED = function("cuEventElapsedTime", 3);
    private static final MethodHandle EVENT_QUERY = function("cuEventQuery", 1);
    private static final MethodHandle EVENT_SYNCHRONIZE = function("cuEventSynchronize", 1);
    private static final MethodHandle MODULE_LOAD = function("cuModuleLoadDataEx", 5);
    private static final MethodHandle MODULE_UNLOAD = function("cuModuleUnload", 1);
    private static final MethodHandle MODULE_FUNCTION = function("cuModuleGetFunction", 3);
    private static final MethodHandle LAUNCH = function("cuLaunchKernel", 11);
    private static final MethodHandle LAUNCH_WITH_ATTRIBUTES = function("cuLaunchKernelEx", 4);
    private static final MethodHandle FUNCTION_ATTRIBUTE = function("cuFuncGetAttribute", 3);
    private static final MethodHandle BEGIN_CAPTURE = function("cuStreamBeginCapture_v2", 2);
    private static final MethodHandle END_CAPTURE = function("cuStreamEndCapture", 2);
    private static final MethodHandle GRAPH_INSTANTIATE = function("cuGraphInstantiateWithFlags", 3);
    private static final MethodHandle GRAPH_LAUNCH = function("cuGraphLaunch", 2);
    private static final MethodHandle GRAPH_EXEC_DESTROY = function("cuGraphExecDestroy", 1);
    private static final MethodHandle GRAPH_DESTROY = function("cuGraphDestroy", 1);

    private Cuda() {}

    private static MethodHandle function(String name, int arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, JAVA_LONG);
        CudaLibrary library = CudaLibrary.ofProcess();
        return CudaLibrary.downcall(library.function(name), FunctionDescriptor.of(JAVA_INT, layouts));
    }

    // the handle of each call is a constant, so the compiler calls the driver straight once this is inlined

    private static int call(MethodHandle function, long a) {
        try {
            return (int) function.invokeExact(a);
        } catch (Throwable e) {
            throw CudaLibrary.impossible(e);
        }
    }

    private static int call(MethodHandle function, long a, long b) {
        try {
            return (int) function.invokeExact(a, b);
        } catch (Throwable e) {
            throw CudaLibrary.impossible(e);
        }
    }

    private static int call(MethodHandle function, long a, long b, long c) {
        try {
            return (int) function.invokeExact(a, b, c);
        } catch (Throwable e) {
            throw CudaLibrary.impossible(e);
        }
    }

    private static int call(MethodHandle function, long a, long b, long c, long d) {
        try {
            return (int) function.invokeExact(a, b, c, d);
        } catch (Throwable e) {
            throw CudaLibrary.impossible(e);
        }
    }

    private static void check(String function, int error) {
        if (error != 0) {
            throw failure(function, error);
        }
    }

    /** The exception for an error that a function returned. */
    public static DeviceException failure(String function, int error) {
        String text = function + ": expected success, got " + text(error);
        if (LOST.contains(error)) {
            return new DeviceLostException(text + "; CUDA is lost to this process: close its arenas, and start a new"
                    + " process or use another provider");
        }
        if (error == ERROR_DEVICE_UNAVAILABLE) {
            return new DeviceException(
                    text + "; another process has the GPU to itself: end it, or run nvidia-smi -c DEFAULT");
        }
        return error == ERROR_OUT_OF_MEMORY
                ? new ArenaOutOfMemoryException(text + "; close other arenas or plan a smaller one")
                : new DeviceException(text);
    }

    /** An error as messages write it: its name, its number and what the driver says of it. */
    public static String text(int error) {
        return name(GET_ERROR_NAME, error).orElse("an unknown error") + " (" + error + ")"
                + name(GET_ERROR_STRING, error).map(text -> ", " + text).orElse("");
    }

    private static Optional<String> name(MethodHandle function, int error) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment text = call.allocate(JAVA_LONG);
            return call(function, error, text.address()) == 0 && text.get(JAVA_LONG, 0) != 0
                    ? Optional.of(AddressSpace.ALL.getString(text.get(JAVA_LONG, 0)))
                    : Optional.empty();
        }
    }

    /** A call that writes a handle or a number. */
    private interface Question {
        int ask(long answer);
    }

    private static long answer(String function, Question question) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment answer = call.allocate(2 * JAVA_LONG.byteSize(), JAVA_LONG.byteSize());
            check(function, question.ask(answer.address()));
            return answer.get(JAVA_LONG, 0);
        }
    }

    /** Starts the driver; returns its error, 0 for none. No context is needed. */
    public static int init() {
        return call(INIT, 0);
    }

    /** The version of CUDA that the driver supports, such as 12000 for 12.0. No context is needed. */
    public static int driverVersion() {
        return (int) answer("cuDriverGetVersion", at -> call(DRIVER_VERSION, at));
    }

    public static int deviceCount() {
        return (int) answer("cuDeviceGetCount", at -> call(DEVICE_COUNT, at));
    }

    /** The handle of a device, by its index. */
    public static int device(int index) {
        return (int) answer("cuDeviceGet", at -> call(DEVICE_GET, at, index));
    }

    public static String deviceName(int device) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment text = call.allocate(TEXT_BYTES);
            check("cuDeviceGetName", call(DEVICE_NAME, text.address(), TEXT_BYTES, device));
            return text.getString(0);
        }
    }

    /** The address of a device on the PCI bus as the driver writes it, or empty if it has none. */
    public static Optional<String> devicePciAddress(int device) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment text = call.allocate(TEXT_BYTES);
            return call(DEVICE_PCI_BUS_ID, text.address(), TEXT_BYTES, device) == 0
                    ? Optional.of(text.getString(0))
                    : Optional.empty();
        }
    }

    /** The 16 bytes of the UUID of a device. */
    public static byte[] deviceUuid(int device) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment uuid = call.allocate(UUID_BYTES);
            check("cuDeviceGetUuid_v2", call(DEVICE_UUID, uuid.address(), device));
            return uuid.toArray(JAVA_BYTE);
        }
    }

    public static int deviceAttribute(int device, int attribute) {
        return (int) answer("cuDeviceGetAttribute", at -> call(DEVICE_ATTRIBUTE, at, attribute, device));
    }

    public static long deviceTotalMemory(int device) {
        return answer("cuDeviceTotalMem_v2", at -> call(DEVICE_TOTAL_MEMORY, at, device));
    }

    /** Makes or finds the primary context of a device; {@link #releasePrimaryContext} must follow. */
    public static long retainPrimaryContext(int device) {
        return answer("cuDevicePrimaryCtxRetain", at -> call(RETAIN_CONTEXT, at, device));
    }

    public static void releasePrimaryContext(int device) {
        check("cuDevicePrimaryCtxRelease_v2", call(RELEASE_CONTEXT, device));
    }

    /** Makes a context current on this thread. */
    public static void setCurrent(long context) {
        check("cuCtxSetCurrent", call(SET_CURRENT, context));
    }

    /** The free bytes of the current device. */
    public static long freeMemory() {
        return answer("cuMemGetInfo_v2", at -> call(GET_MEMORY_INFO, at, at + JAVA_LONG.byteSize()));
    }

    public static long allocate(long bytes) {
        return answer("cuMemAlloc_v2", at -> call(ALLOCATE, at, bytes));
    }

    public static void free(long memory) {
        check("cuMemFree_v2", call(FREE, memory));
    }

    /** Allocates page-locked memory, which has the same address for kernels as for the host. */
    public static long allocateHost(long bytes) {
        return answer("cuMemHostAlloc", at -> call(HOST_ALLOCATE, at, bytes, HOST_ALLOC_PORTABLE_AND_MAPPED));
    }

    public static void freeHost(long memory) {
        check("cuMemFreeHost", call(HOST_FREE, memory));
    }

    public static void copyToDevice(long to, long from, long bytes, long stream) {
        check("cuMemcpyHtoDAsync_v2", call(COPY_TO_DEVICE, to, from, bytes, stream));
    }

    public static void copyToHost(long to, long from, long bytes, long stream) {
        check("cuMemcpyDtoHAsync_v2", call(COPY_TO_HOST, to, from, bytes, stream));
    }

    public static void copy(long to, long from, long bytes, long stream) {
        check("cuMemcpyDtoDAsync_v2", call(COPY, to, from, bytes, stream));
    }

    public static void setBytes(long to, byte value, long bytes, long stream) {
        check("cuMemsetD8Async", call(SET_BYTES, to, value & 0xFF, bytes, stream));
    }

    public static long createStream() {
        return answer("cuStreamCreate", at -> call(STREAM_CREATE, at, STREAM_NON_BLOCKING));
    }

    public static void destroyStream(long stream) {
        check("cuStreamDestroy_v2", call(STREAM_DESTROY, stream));
    }

    /** Waits for all work of a stream. */
    public static void synchronize(long stream) {
        check("cuStreamSynchronize", call(STREAM_SYNCHRONIZE, stream));
    }

    /** Whether a stream answers, busy or idle: false once its context is lost. */
    public static boolean isAlive(long stream) {
        int state = call(STREAM_QUERY, stream);
        return state == 0 || state == ERROR_NOT_READY;
    }

    public static long createEvent() {
        return answer("cuEventCreate", at -> call(EVENT_CREATE, at, EVENT_DISABLE_TIMING));
    }

    /** Creates an event whose time counts. */
    public static long createTimedEvent() {
        return answer("cuEventCreate", at -> call(EVENT_CREATE, at, 0));
    }

    /** Puts an event into the graph that a stream records, so that each launch sets it. */
    public static void recordInGraph(long event, long stream) {
        check("cuEventRecordWithFlags", call(EVENT_RECORD_WITH_FLAGS, event, stream, EVENT_RECORD_EXTERNAL));
    }

    /** The milliseconds between two events that were set. */
    public static float elapsed(long first, long second) {
        return Float.intBitsToFloat((int) answer("cuEventElapsedTime", at -> call(EVENT_ELAPSED, at, first, second)));
    }

    public static void destroyEvent(long event) {
        check("cuEventDestroy_v2", call(EVENT_DESTROY, event));
    }

    /** Sets an event behind the work of a stream so far. */
    public static void record(long event, long stream) {
        check("cuEventRecord", call(EVENT_RECORD, event, stream));
    }

    /** Whether the work before an event is done; never waits. */
    public static boolean isDone(long event) {
        int state = call(EVENT_QUERY, event);
        if (state != ERROR_NOT_READY) {
            check("cuEventQuery", state);
        }
        return state == 0;
    }

    /** Waits for the work before an event; returns at once for one that was never recorded. */
    public static void await(long event) {
        check("cuEventSynchronize", call(EVENT_SYNCHRONIZE, event));
    }

    /** A module, or what the compiler of the driver says against it. Threads: immutable. */
    public record Loaded(long module, int error, String log) {}

    /** Loads a module from a text or a binary. */
    public static Loaded loadModule(byte[] source) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment image = call.allocate(source.length + 1L, Long.BYTES); // a text ends with a zero byte
            MemorySegment.copy(source, 0, image, JAVA_BYTE, 0, source.length);
            MemorySegment module = call.allocate(JAVA_LONG);
            MemorySegment log = call.allocate(JIT_LOG_BYTES);
            MemorySegment options = call.allocateFrom(JAVA_INT, JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE);
            MemorySegment values = call.allocateFrom(JAVA_LONG, log.address(), log.byteSize());
            int error = (int)
                    MODULE_LOAD.invokeExact(module.address(), image.address(), 2L, options.address(), values.address());
            return new Loaded(module.get(JAVA_LONG, 0), error, log.getString(0).strip());
        } catch (Throwable e) {
            throw CudaLibrary.impossible(e);
        }
    }

    public static void unloadModule(long module) {
        check("cuModuleUnload", call(MODULE_UNLOAD, module));
    }

    /** A kernel of a module, or 0 if it has none of the name. */
    public static long function(long module, String name) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment function = call.allocate(JAVA_LONG);
            MemorySegment text = call.allocateFrom(name);
            int error = call(MODULE_FUNCTION, function.address(), module, text.address());
            if (error == ERROR_NOT_FOUND) {
                return 0;
            }
            check("cuModuleGetFunction", error);
            return function.get(JAVA_LONG, 0);
        }
    }

    /** The most threads of a block of a kernel, which its registers limit. */
    public static int maxThreads(long function) {
        return (int) answer("cuFuncGetAttribute", at -> call(FUNCTION_ATTRIBUTE, at, FUNCTION_MAX_THREADS, function));
    }

    /**
     * Launches a kernel.
     *
     * @param parameters the address of one address for each parameter
     */
    public static void launch(
            long function,
            long x,
            long y,
            long z,
            long threadsX,
            long threadsY,
            long threadsZ,
            long shared,
            long stream,
            long parameters) {
        int error;
        try {
            error = (int)
                    LAUNCH.invokeExact(function, x, y, z, threadsX, threadsY, threadsZ, shared, stream, parameters, 0L);
        } catch (Throwable e) {
            throw CudaLibrary.impossible(e);
        }
        check("cuLaunchKernel", error);
    }

    /**
     * Launches a kernel whose first part may run while the kernel in front of it ends (programmatic dependent launch).
     * Devices before compute capability 9.0 refuse it.
     *
     * @param parameters the address of one address for each parameter
     */
    public static void launchEarly(
            long function, int[] blocks, int[] threads, int shared, long stream, long parameters) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment attribute = call.allocate(LAUNCH_ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
            attribute.set(JAVA_INT, ATTRIBUTE_VALUE_OFFSET, 1);
            MemorySegment config = call.allocate(LAUNCH_CONFIG);
            for (int axis = 0; axis < 3; axis++) {
                config.setAtIndex(JAVA_INT, axis, blocks[axis]);
                config.setAtIndex(JAVA_INT, 3 + axis, threads[axis]);
            }
            config.set(JAVA_INT, LAUNCH_CONFIG.byteOffset(PathElement.groupElement("sharedMemBytes")), shared);
            config.set(JAVA_LONG, LAUNCH_CONFIG.byteOffset(PathElement.groupElement("hStream")), stream);
            config.set(JAVA_LONG, LAUNCH_CONFIG.byteOffset(PathElement.groupElement("attrs")), attribute.address());
            config.set(JAVA_INT, LAUNCH_CONFIG.byteOffset(PathElement.groupElement("numAttrs")), 1);
            check("cuLaunchKernelEx", call(LAUNCH_WITH_ATTRIBUTES, config.address(), function, parameters, 0));
        }
    }

    /** Begins to record the work of a stream as a graph instead of running it. */
    public static void beginCapture(long stream) {
        check("cuStreamBeginCapture_v2", call(BEGIN_CAPTURE, stream, CAPTURE_MODE_RELAXED));
    }

    public static long endCapture(long stream) {
        return answer("cuStreamEndCapture", at -> call(END_CAPTURE, stream, at));
    }

    /** Ends a record that failed; the caller reports why. */
    public static void abandonCapture(long stream) {
        try {
            destroyGraph(endCapture(stream));
        } catch (DeviceException e) {
            // the failure has ended it
        }
    }

    /** Frees what a record needs no more; a failure costs memory, not the run. */
    public static void discard(long graph, long stream) {
        int _ = graph == 0 ? 0 : call(GRAPH_DESTROY, graph);
        int _ = call(STREAM_DESTROY, stream);
    }

    public static long instantiate(long graph) {
        return answer("cuGraphInstantiateWithFlags", at -> call(GRAPH_INSTANTIATE, at, graph, 0));
    }

    public static void launchGraph(long executable, long stream) {
        check("cuGraphLaunch", call(GRAPH_LAUNCH, executable, stream));
    }

    public static void destroyExecutable(long executable) {
        check("cuGraphExecDestroy", call(GRAPH_EXEC_DESTROY, executable));
    }

    public static void destroyGraph(long graph) {
        check("cuGraphDestroy", call(GRAPH_DESTROY, graph));
    }
}
