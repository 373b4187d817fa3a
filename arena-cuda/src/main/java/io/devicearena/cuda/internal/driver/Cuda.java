package io.devicearena.cuda.internal.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The functions of the CUDA driver that this backend calls: a table, and those with more to say than a row. Each throws
 * for an error: {@link DeviceLostException} for one after which a context answers nothing else, {@link
 * ArenaOutOfMemoryException} for memory, else {@link DeviceException}.
 *
 * <p>A call that works on a context needs it to be current on its thread: {@link #SET_CURRENT}. Where nothing else is
 * said it is.
 *
 * <p><b>Source:</b> the CUDA driver API, version 12.0; the names of constants and functions are those of {@code
 * cuda.h}.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class Cuda {
    /** {@code CUDA_ERROR_…}. */
    public static final int ERROR_NO_DEVICE = 100;

    private static final int ERROR_OUT_OF_MEMORY = 2;
    private static final int ERROR_DEVICE_UNAVAILABLE = 46;
    private static final int ERROR_NOT_FOUND = 500;
    private static final int ERROR_NOT_READY = 600;

    /** Errors that a context keeps: of a kernel, of the memory, and of a context that is gone. */
    private static final Set<Integer> LOST = Set.of(4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719);

    /** {@code CU_DEVICE_ATTRIBUTE_…}. */
    public static final int COMPUTE_CAPABILITY_MAJOR = 75;

    public static final int COMPUTE_CAPABILITY_MINOR = 76;
    public static final int INTEGRATED = 18;
    public static final int MULTIPROCESSOR_COUNT = 16;
    public static final int MAX_THREADS_PER_BLOCK = 1;
    public static final int MAX_SHARED_MEMORY_PER_BLOCK = 8;

    /** {@code CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK}. */
    public static final int FUNCTION_MAX_THREADS = 0;

    /** {@code CU_STREAM_…}, {@code CU_EVENT_…}, {@code CU_EVENT_RECORD_…} and others. */
    public static final int STREAM_NON_BLOCKING = 1;

    public static final int EVENT_DISABLE_TIMING = 2;
    public static final int EVENT_RECORD_EXTERNAL = 1;
    public static final int CAPTURE_MODE_RELAXED = 2;
    private static final int HOST_ALLOC_PORTABLE_AND_MAPPED = 1 | 2;

    private static final int JIT_ERROR_LOG_BUFFER = 5;
    private static final int JIT_ERROR_LOG_BUFFER_SIZE = 6;
    private static final int JIT_LOG_BYTES = 16 << 10;
    private static final int TEXT_BYTES = 256;

    /** What {@link #launch} needs: a CUlaunchConfig, and behind it a CUlaunchAttribute. */
    public static final long LAUNCH_BYTES = 128;

    private static final int CONFIG_SHAPE = 6;
    private static final long CONFIG_STREAM = 32;
    private static final long CONFIG_ATTRIBUTES = 40;
    private static final long CONFIG_ATTRIBUTE_COUNT = 48;
    private static final long ATTRIBUTE = 56;
    private static final long ATTRIBUTE_VALUE = ATTRIBUTE + 8;
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    // answer: a number; of a device or an attribute of it where there are arguments. No context is needed.
    public static final DriverCall DRIVER_VERSION = new DriverCall("cuDriverGetVersion");
    public static final DriverCall DEVICE_COUNT = new DriverCall("cuDeviceGetCount");
    public static final DriverCall DEVICE = new DriverCall("cuDeviceGet");
    public static final DriverCall DEVICE_ATTRIBUTE = new DriverCall("cuDeviceGetAttribute");
    public static final DriverCall DEVICE_TOTAL_MEMORY = new DriverCall("cuDeviceTotalMem_v2");
    public static final DriverCall FUNCTION_ATTRIBUTE = new DriverCall("cuFuncGetAttribute");

    // answer: the primary context of a device; what is retained must be released
    public static final DriverCall RETAIN_CONTEXT = new DriverCall("cuDevicePrimaryCtxRetain");
    public static final DriverCall RELEASE_CONTEXT = new DriverCall("cuDevicePrimaryCtxRelease_v2");
    public static final DriverCall SET_CURRENT = new DriverCall("cuCtxSetCurrent");

    // answer: the address of so many bytes
    public static final DriverCall ALLOCATE = new DriverCall("cuMemAlloc_v2");
    public static final DriverCall FREE = new DriverCall("cuMemFree_v2");
    public static final DriverCall FREE_HOST = new DriverCall("cuMemFreeHost");

    // to, from or a byte, bytes, stream; addresses of the host and of devices are never the same
    public static final DriverCall COPY = new DriverCall("cuMemcpyAsync");
    public static final DriverCall SET_BYTES = new DriverCall("cuMemsetD8Async");

    // answer: a stream or an event, by its flags; an event that was never recorded is over
    public static final DriverCall CREATE_STREAM = new DriverCall("cuStreamCreate");
    public static final DriverCall DESTROY_STREAM = new DriverCall("cuStreamDestroy_v2");
    public static final DriverCall SYNCHRONIZE = new DriverCall("cuStreamSynchronize");
    public static final DriverCall CREATE_EVENT = new DriverCall("cuEventCreate");
    public static final DriverCall DESTROY_EVENT = new DriverCall("cuEventDestroy_v2");
    public static final DriverCall RECORD = new DriverCall("cuEventRecord");
    public static final DriverCall RECORD_WITH_FLAGS = new DriverCall("cuEventRecordWithFlags");
    public static final DriverCall ELAPSED = new DriverCall("cuEventElapsedTime");
    public static final DriverCall AWAIT = new DriverCall("cuEventSynchronize");

    public static final DriverCall UNLOAD_MODULE = new DriverCall("cuModuleUnload");

    // what a stream records becomes a graph; answer: the executable form of a graph, with flags
    public static final DriverCall BEGIN_CAPTURE = new DriverCall("cuStreamBeginCapture_v2");
    public static final DriverCall INSTANTIATE = new DriverCall("cuGraphInstantiateWithFlags");
    public static final DriverCall LAUNCH_GRAPH = new DriverCall("cuGraphLaunch");
    public static final DriverCall DESTROY_EXECUTABLE = new DriverCall("cuGraphExecDestroy");

    private static final DriverCall INIT = new DriverCall("cuInit");
    private static final DriverCall ERROR_NAME = new DriverCall("cuGetErrorName");
    private static final DriverCall ERROR_TEXT = new DriverCall("cuGetErrorString");
    private static final DriverCall DEVICE_NAME = new DriverCall("cuDeviceGetName");
    private static final DriverCall DEVICE_UUID = new DriverCall("cuDeviceGetUuid_v2");
    private static final DriverCall DEVICE_PCI_BUS_ID = new DriverCall("cuDeviceGetPCIBusId");
    private static final DriverCall MEMORY_INFO = new DriverCall("cuMemGetInfo_v2");
    private static final DriverCall ALLOCATE_HOST = new DriverCall("cuMemHostAlloc");
    private static final DriverCall STREAM_QUERY = new DriverCall("cuStreamQuery");
    private static final DriverCall EVENT_QUERY = new DriverCall("cuEventQuery");
    private static final DriverCall LOAD_MODULE = new DriverCall("cuModuleLoadDataEx");
    private static final DriverCall MODULE_FUNCTION = new DriverCall("cuModuleGetFunction");
    private static final DriverCall LAUNCH = new DriverCall("cuLaunchKernelEx");
    private static final DriverCall END_CAPTURE = new DriverCall("cuStreamEndCapture");
    private static final DriverCall DESTROY_GRAPH = new DriverCall("cuGraphDestroy");

    private Cuda() {}

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
        return name(ERROR_NAME, error).orElse("an unknown error") + " (" + error + ")"
                + name(ERROR_TEXT, error).map(text -> ", " + text).orElse("");
    }

    private static Optional<String> name(DriverCall function, int error) {
        return written(text -> function.error(error, text.address(), 0, 0, 0) == 0 && text.get(JAVA_LONG, 0) != 0
                ? Optional.of(AddressSpace.ALL.getString(text.get(JAVA_LONG, 0)))
                : Optional.empty());
    }

    /** Starts the driver; returns its error, 0 for none. No context is needed. */
    public static int init() {
        return INIT.error(0, 0, 0, 0, 0);
    }

    /** What a function writes to memory that lives for its call, of {@link #TEXT_BYTES}. */
    private static <T> T written(Function<MemorySegment, T> call) {
        try (Arena memory = Arena.ofConfined()) {
            return call.apply(memory.allocate(TEXT_BYTES, Long.BYTES));
        }
    }

    public static String deviceName(int device) {
        return written(text -> {
            DEVICE_NAME.call(text.address(), TEXT_BYTES, device);
            return text.getString(0);
        });
    }

    /** The address of a device on the PCI bus as the driver writes it, or empty if it has none. */
    public static Optional<String> devicePciAddress(int device) {
        return written(text -> DEVICE_PCI_BUS_ID.error(text.address(), TEXT_BYTES, device, 0, 0) == 0
                ? Optional.of(text.getString(0))
                : Optional.empty());
    }

    public static UUID deviceUuid(int device) {
        return written(uuid -> {
            DEVICE_UUID.call(uuid.address(), device);
            ByteBuffer bytes = uuid.asByteBuffer(); // the first byte is the highest
            return new UUID(bytes.getLong(), bytes.getLong());
        });
    }

    /** The free bytes of the current device. */
    public static long freeMemory() {
        return written(free -> {
            MEMORY_INFO.call(free.address(), free.address() + Long.BYTES); // the total behind it
            return free.get(JAVA_LONG, 0);
        });
    }

    /** Allocates page-locked memory, which has the same address for kernels as for the host. */
    public static long allocateHost(long bytes) {
        return ALLOCATE_HOST.answer(bytes, HOST_ALLOC_PORTABLE_AND_MAPPED);
    }

    /** Whether a stream answers, busy or idle: false once its context is lost. */
    public static boolean isAlive(long stream) {
        int state = STREAM_QUERY.error(stream, 0, 0, 0, 0);
        return state == 0 || state == ERROR_NOT_READY;
    }

    /** Whether the work before an event is done; never waits. */
    public static boolean isDone(long event) {
        int state = EVENT_QUERY.error(event, 0, 0, 0, 0);
        if (state != 0 && state != ERROR_NOT_READY) {
            throw failure(EVENT_QUERY.name(), state);
        }
        return state == 0;
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
            int error = LOAD_MODULE.error(module.address(), image.address(), 2, options.address(), values.address());
            return new Loaded(module.get(JAVA_LONG, 0), error, log.getString(0).strip());
        }
    }

    /** A kernel of a module, or 0 if it has none of the name. */
    public static long function(long module, String name) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment function = call.allocate(JAVA_LONG);
            MemorySegment text = call.allocateFrom(name);
            int error = MODULE_FUNCTION.error(function.address(), module, text.address(), 0, 0);
            if (error != 0 && error != ERROR_NOT_FOUND) {
                throw failure(MODULE_FUNCTION.name(), error);
            }
            return error == 0 ? function.get(JAVA_LONG, 0) : 0;
        }
    }

    /**
     * Launches a kernel.
     *
     * @param config the address of {@link #LAUNCH_BYTES} that the call may overwrite
     * @param shape the blocks along each of the three axes, then the threads of a block along each
     * @param shared bytes of shared memory
     * @param parameters the address of one address for each parameter
     * @param early whether its first part may run while the kernel in front of it ends (programmatic dependent launch);
     *     devices before compute capability 9.0 refuse it
     */
    public static void launch(
            long config, long function, int[] shape, int shared, long stream, long parameters, boolean early) {
        MemorySegment to = AddressSpace.ALL;
        MemorySegment.copy(shape, 0, to, JAVA_INT, config, CONFIG_SHAPE);
        to.set(JAVA_INT, config + CONFIG_SHAPE * Integer.BYTES, shared);
        to.set(JAVA_LONG, config + CONFIG_STREAM, stream);
        to.set(JAVA_LONG, config + CONFIG_ATTRIBUTES, config + ATTRIBUTE);
        to.set(JAVA_INT, config + CONFIG_ATTRIBUTE_COUNT, early ? 1 : 0);
        to.set(JAVA_INT, config + ATTRIBUTE, PROGRAMMATIC_STREAM_SERIALIZATION);
        to.set(JAVA_INT, config + ATTRIBUTE_VALUE, 1);
        LAUNCH.call(config, function, parameters, 0);
    }

    /** Ends the record of a stream as a graph. */
    public static long endCapture(long stream) {
        return written(graph -> {
            END_CAPTURE.call(stream, graph.address());
            return graph.get(JAVA_LONG, 0);
        });
    }

    /** Ends a record that failed; the caller reports why. */
    public static void abandonCapture(long stream) {
        try {
            DESTROY_GRAPH.call(endCapture(stream));
        } catch (DeviceException e) {
            // the failure has ended it
        }
    }

    /** Frees what a record needs no more; a failure costs memory, not the run. */
    public static void discard(long graph, long stream) {
        int _ = graph == 0 ? 0 : DESTROY_GRAPH.error(graph, 0, 0, 0, 0);
        int _ = DESTROY_STREAM.error(stream, 0, 0, 0, 0);
    }
}
