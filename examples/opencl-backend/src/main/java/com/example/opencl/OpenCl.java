package com.example.opencl;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The functions of OpenCL 1.2 that this backend calls. Each throws {@link DeviceException} for an error.
 *
 * <p>The names of constants are those of {@code cl.h}. A segment that is passed to a function must be native.
 */
final class OpenCl {
    static final int CL_DEVICE_TYPE = 0x1000;
    static final int CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010;
    static final int CL_DEVICE_MEM_BASE_ADDR_ALIGN = 0x1019;
    static final int CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F;
    static final int CL_DEVICE_AVAILABLE = 0x1027;
    static final int CL_DEVICE_NAME = 0x102B;
    static final int CL_DEVICE_VERSION = 0x102F;
    static final int CL_DRIVER_VERSION = 0x102D;
    static final int CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035;
    static final int CL_DEVICE_UUID_KHR = 0x106A;
    static final int CL_DEVICE_PCI_BUS_INFO_KHR = 0x410F;

    static final long CL_DEVICE_TYPE_CPU = 1 << 1;
    static final long CL_DEVICE_TYPE_GPU = 1 << 2;
    private static final long CL_DEVICE_TYPE_ALL = 0xFFFFFFFFL;

    static final long CL_MEM_READ_WRITE = 1;
    static final long CL_MEM_ALLOC_HOST_PTR = 1 << 4;
    private static final long CL_MAP_READ_AND_WRITE = 1 | 1 << 1;

    private static final int CL_DEVICE_NOT_FOUND = -1;
    private static final int CL_MEM_OBJECT_ALLOCATION_FAILURE = -4;
    private static final int CL_OUT_OF_RESOURCES = -5;
    private static final int CL_OUT_OF_HOST_MEMORY = -6;
    private static final int CL_INVALID_BUFFER_SIZE = -61;
    private static final int CL_PLATFORM_NOT_FOUND_KHR = -1001;
    private static final int CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3;

    private static final SymbolLookup FUNCTIONS = library();

    private static final MethodHandle GET_PLATFORM_IDS = function("clGetPlatformIDs", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle GET_DEVICE_IDS =
            function("clGetDeviceIDs", ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle GET_DEVICE_INFO =
            function("clGetDeviceInfo", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle CREATE_CONTEXT =
            maker("clCreateContext", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle CREATE_COMMAND_QUEUE =
            maker("clCreateCommandQueue", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    private static final MethodHandle CREATE_BUFFER =
            maker("clCreateBuffer", ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle WRITE_BUFFER = transfer("clEnqueueWriteBuffer");
    private static final MethodHandle READ_BUFFER = transfer("clEnqueueReadBuffer");
    private static final MethodHandle FILL_BUFFER = function(
            "clEnqueueFillBuffer",
            ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle COPY_BUFFER = function(
            "clEnqueueCopyBuffer",
            ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle MAP_BUFFER = maker(
            "clEnqueueMapBuffer",
            ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle UNMAP =
            function("clEnqueueUnmapMemObject", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle FLUSH = function("clFlush", ADDRESS);
    private static final MethodHandle FINISH = function("clFinish", ADDRESS);
    private static final MethodHandle GET_EVENT_INFO =
            function("clGetEventInfo", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle RELEASE_EVENT = function("clReleaseEvent", ADDRESS);
    private static final MethodHandle RELEASE_BUFFER = function("clReleaseMemObject", ADDRESS);
    private static final MethodHandle RELEASE_QUEUE = function("clReleaseCommandQueue", ADDRESS);

    private OpenCl() {}

    /** The library, with a message for the case that there is none. */
    private static SymbolLookup library() {
        String name = System.mapLibraryName("OpenCL");
        try {
            return SymbolLookup.libraryLookup(name.endsWith(".so") ? name + ".1" : name, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new UnsatisfiedLinkError(e.getMessage());
        }
    }

    private static MethodHandle function(String name, MemoryLayout... parameters) {
        return handle(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    /** A function that returns an object, and writes its error to its last parameter. */
    private static MethodHandle maker(String name, MemoryLayout... parameters) {
        return handle(name, FunctionDescriptor.of(ADDRESS, parameters));
    }

    private static MethodHandle transfer(String name) {
        return function(
                name, ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
        MemorySegment function = FUNCTIONS.find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("libOpenCL has no function " + name));
        return Linker.nativeLinker().downcallHandle(function, type);
    }

    /** All devices of a platform. */
    static MemorySegment[] devices(MemorySegment platform) {
        return list((count, ids, number) -> {
            int error = (int) GET_DEVICE_IDS.invokeExact(platform, CL_DEVICE_TYPE_ALL, count, ids, number);
            return error == CL_DEVICE_NOT_FOUND ? 0 : error;
        });
    }

    static MemorySegment[] platforms() {
        return list((count, ids, number) -> {
            int error = (int) GET_PLATFORM_IDS.invokeExact(count, ids, number);
            return error == CL_PLATFORM_NOT_FOUND_KHR ? 0 : error;
        });
    }

    /** Lists objects: how many there are, then which. */
    private interface Lister {
        int list(int count, MemorySegment ids, MemorySegment number) throws Throwable;
    }

    private static MemorySegment[] list(Lister lister) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment number = call.allocate(JAVA_INT);
            check("list of platforms or devices", () -> lister.list(0, NULL, number));
            MemorySegment[] found = new MemorySegment[number.get(JAVA_INT, 0)];
            if (found.length > 0) {
                MemorySegment ids = call.allocate(ADDRESS, found.length);
                check("list of platforms or devices", () -> lister.list(found.length, ids, NULL));
                for (int i = 0; i < found.length; i++) {
                    found[i] = ids.getAtIndex(ADDRESS, i);
                }
            }
            return found;
        }
    }

    /** What a device answers to a question, or no bytes if it does not know the question. */
    static byte[] info(MemorySegment device, int question) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment size = call.allocate(JAVA_LONG);
            if ((int) GET_DEVICE_INFO.invokeExact(device, question, 0L, NULL, size) != 0) {
                return new byte[0];
            }
            MemorySegment answer = call.allocate(size.get(JAVA_LONG, 0), Long.BYTES);
            check("clGetDeviceInfo", () -> (int)
                GET_DEVICE_INFO.invokeExact(device, question, answer.byteSize(), answer, NULL));
            return answer.toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A figure of a device: 1, 4 or 8 bytes in its order, which is that of the host; 0 if it has none. */
    static long number(MemorySegment device, int question) {
        byte[] bytes = info(device, question);
        long value = 0;
        for (int i = Math.min(bytes.length, Long.BYTES) - 1; i >= 0; i--) {
            value = value << 8 | bytes[i] & 0xFF;
        }
        return value;
    }

    static String text(MemorySegment device, int question) {
        String text = new String(info(device, question), StandardCharsets.UTF_8);
        return text.replace("\0", "").strip();
    }

    static MemorySegment createContext(MemorySegment device) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment devices = call.allocate(ADDRESS);
            devices.set(ADDRESS, 0, device);
                return make(
                    "clCreateContext",
                    error -> (MemorySegment) CREATE_CONTEXT.invokeExact(NULL, 1, devices, NULL, NULL, error));
        }
    }

    /** Makes a queue that runs its commands in order. */
    static MemorySegment createQueue(MemorySegment context, MemorySegment device) {
        return make(
                "clCreateCommandQueue",
                error -> (MemorySegment) CREATE_COMMAND_QUEUE.invokeExact(context, device, 0L, error));
    }

    static MemorySegment createBuffer(MemorySegment context, long flags, long bytes) {
        return make(
                "clCreateBuffer",
                error -> (MemorySegment) CREATE_BUFFER.invokeExact(context, flags, bytes, NULL, error));
    }

    /** Maps a whole buffer for the host, and waits for it. */
    static MemorySegment map(MemorySegment queue, MemorySegment buffer, long bytes) {
        return make(
                "clEnqueueMapBuffer",
                error -> (MemorySegment) MAP_BUFFER.invokeExact(
                        queue, buffer, 1, CL_MAP_READ_AND_WRITE, 0L, bytes, 0, NULL, NULL, error));
    }

    static void unmap(MemorySegment queue, MemorySegment buffer, MemorySegment mapped) {
        check("clEnqueueUnmapMemObject", () -> (int) UNMAP.invokeExact(queue, buffer, mapped, 0, NULL, NULL));
    }

    /** Writes native memory to a buffer, and waits until it may change. */
    static void write(MemorySegment queue, MemorySegment buffer, long offset, MemorySegment source) {
        check("clEnqueueWriteBuffer", () -> (int)
                WRITE_BUFFER.invokeExact(queue, buffer, 1, offset, source.byteSize(), source, 0, NULL, NULL));
    }

    /** Reads a buffer into native memory, and waits for it. */
    static void read(MemorySegment queue, MemorySegment buffer, long offset, MemorySegment destination) {
        check("clEnqueueReadBuffer", () -> (int)
                READ_BUFFER.invokeExact(queue, buffer, 1, offset, destination.byteSize(), destination, 0, NULL, NULL));
    }

    /** Begins to read a buffer into native memory; the event is complete when the bytes are there. */
    static MemorySegment beginRead(
            MemorySegment queue, MemorySegment buffer, long offset, MemorySegment destination) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment event = call.allocate(ADDRESS);
            check("clEnqueueReadBuffer", () -> (int)
                READ_BUFFER.invokeExact(queue, buffer, 0, offset, destination.byteSize(), destination, 0, NULL, event));
            return event.get(ADDRESS, 0);
        }
    }

    /** Fills a range of a buffer with a pattern, which may be freed at once; the range is a multiple of it. */
    static void fill(MemorySegment queue, MemorySegment buffer, MemorySegment pattern, long offset, long bytes) {
        check("clEnqueueFillBuffer", () -> (int)
                FILL_BUFFER.invokeExact(queue, buffer, pattern, pattern.byteSize(), offset, bytes, 0, NULL, NULL));
    }

    /** Copies a range of a buffer to another one of it, which it does not meet. */
    static void copy(MemorySegment queue, MemorySegment buffer, long from, long to, long bytes) {
        check(
                "clEnqueueCopyBuffer",
                () -> (int) COPY_BUFFER.invokeExact(queue, buffer, buffer, from, to, bytes, 0, NULL, NULL));
    }

    static void flush(MemorySegment queue) {
        check("clFlush", () -> (int) FLUSH.invokeExact(queue));
    }

    static void finish(MemorySegment queue) {
        check("clFinish", () -> (int) FINISH.invokeExact(queue));
    }

    /** Whether the command of an event has ended; throws its error if it failed. */
    static boolean isComplete(MemorySegment event) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment status = call.allocate(JAVA_INT);
            check("clGetEventInfo", () -> (int)
                GET_EVENT_INFO.invokeExact(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4L, status, NULL));
            check("clEnqueueReadBuffer", () -> Math.min(status.get(JAVA_INT, 0), 0));
            return status.get(JAVA_INT, 0) == 0;
        }
    }

    /** Releases an event, unless it is null. */
    static void releaseEvent(MemorySegment event) {
        check("clReleaseEvent", () -> event.address() == 0 ? 0 : (int) RELEASE_EVENT.invokeExact(event));
    }

    static void releaseBuffer(MemorySegment buffer) {
        check("clReleaseMemObject", () -> (int) RELEASE_BUFFER.invokeExact(buffer));
    }

    static void releaseQueue(MemorySegment queue) {
        check("clReleaseCommandQueue", () -> (int) RELEASE_QUEUE.invokeExact(queue));
    }

    private interface Call {
        int run() throws Throwable;
    }

    private interface Maker {
        MemorySegment make(MemorySegment error) throws Throwable;
    }

    private static void check(String function, Call call) {
        int error;
        try {
            error = call.run();
        } catch (Throwable e) {
            throw failure(e);
        }
        if (error != 0) {
            throw failure(function, error);
        }
    }

    private static MemorySegment make(String function, Maker maker) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment error = call.allocate(JAVA_INT);
            MemorySegment made = maker.make(error);
            check(function, () -> error.get(JAVA_INT, 0));
            return made;
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private static DeviceException failure(String function, int error) {
        return switch (error) {
            case CL_MEM_OBJECT_ALLOCATION_FAILURE,
                    CL_OUT_OF_RESOURCES,
                    CL_OUT_OF_HOST_MEMORY,
                    CL_INVALID_BUFFER_SIZE -> // more than the device allocates at once
                new ArenaOutOfMemoryException(function + ": expected enough free memory, got OpenCL error " + error
                        + "; close other arenas or plan a smaller one");
            default ->
                new DeviceException(function + ": OpenCL error " + error
                        + "; close the arenas of the device and open new ones");
        };
    }

    /** What a call threw: its own exception, or one of the foreign-function layer, which must not happen. */
    private static RuntimeException failure(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> throw new AssertionError(thrown);
        };
    }
}
