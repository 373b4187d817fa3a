package io.devicearena.wgpu.internal.raw;

import io.devicearena.wgpu.ffi.WGPUFuture;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions that every write and every read calls, with handles and addresses as numbers.
 *
 * <p>The generated bindings wrap each returned handle in a new segment. These handles do not: a call allocates nothing
 * on the heap. On every platform of the library, pointers and 64-bit integers are passed alike, and so is the {@code
 * WGPUFuture} that some functions return, a struct of one 64-bit integer.
 *
 * <p>A wrong number ends the process. Callers are the owners of native objects, which check lifetimes and ranges first.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class Downcalls {
    /** The descriptors of all functions below; the metadata of native images lists them. */
    private static final List<FunctionDescriptor> DESCRIPTORS = new ArrayList<>();

    private static final MethodHandle QUEUE_WRITE_BUFFER = function("wgpuQueueWriteBuffer");
    private static final MethodHandle QUEUE_SUBMIT_FOR_INDEX = function("wgpuQueueSubmitForIndex");
    private static final MethodHandle QUEUE_ON_WORK_DONE = function("wgpuQueueOnSubmittedWorkDone");
    private static final MethodHandle CREATE_ENCODER = function("wgpuDeviceCreateCommandEncoder");
    private static final MethodHandle COPY = function("wgpuCommandEncoderCopyBufferToBuffer");
    private static final MethodHandle FINISH = function("wgpuCommandEncoderFinish");
    private static final MethodHandle RELEASE_ENCODER = function("wgpuCommandEncoderRelease");
    private static final MethodHandle RELEASE_COMMANDS = function("wgpuCommandBufferRelease");
    private static final MethodHandle BEGIN_PASS = function("wgpuCommandEncoderBeginComputePass");
    private static final MethodHandle SET_PIPELINE = function("wgpuComputePassEncoderSetPipeline");
    private static final MethodHandle SET_BIND_GROUP = function("wgpuComputePassEncoderSetBindGroup");
    private static final MethodHandle DISPATCH = function("wgpuComputePassEncoderDispatchWorkgroups");
    private static final MethodHandle END_PASS = function("wgpuComputePassEncoderEnd");
    private static final MethodHandle PUSH_DEBUG_GROUP = function("wgpuComputePassEncoderPushDebugGroup");
    private static final MethodHandle POP_DEBUG_GROUP = function("wgpuComputePassEncoderPopDebugGroup");
    private static final MethodHandle RESOLVE_QUERY_SET = function("wgpuCommandEncoderResolveQuerySet");
    private static final MethodHandle RELEASE_PASS = function("wgpuComputePassEncoderRelease");
    private static final MethodHandle MAP_ASYNC = function("wgpuBufferMapAsync");
    private static final MethodHandle CONST_MAPPED_RANGE = function("wgpuBufferGetConstMappedRange");
    private static final MethodHandle MAPPED_RANGE = function("wgpuBufferGetMappedRange");
    private static final MethodHandle UNMAP = function("wgpuBufferUnmap");
    private static final MethodHandle POLL = function("wgpuDevicePoll");

    private Downcalls() {}

    static List<FunctionDescriptor> descriptors() {
        return List.copyOf(DESCRIPTORS);
    }

    /** Links a function as the bindings have it, but with numbers for its pointers and for a future that it returns. */
    private static MethodHandle function(String name) {
        FunctionDescriptor generated = (FunctionDescriptor) binding(name + "$descriptor");
        FunctionDescriptor taken = FunctionDescriptor.ofVoid(
                generated.argumentLayouts().stream().map(Downcalls::plain).toArray(MemoryLayout[]::new));
        FunctionDescriptor descriptor = generated
                .returnLayout()
                .map(returned -> taken.changeReturnLayout(plain(returned)))
                .orElse(taken);
        DESCRIPTORS.add(descriptor);
        return Linker.nativeLinker().downcallHandle((MemorySegment) binding(name + "$address"), descriptor);
    }

    private static Object binding(String method) {
        try {
            return WgpuNative.class.getMethod(method).invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the bindings lack " + method, e);
        }
    }

    private static MemoryLayout plain(MemoryLayout layout) {
        boolean number = layout instanceof AddressLayout || layout.equals(WGPUFuture.layout());
        return number ? ValueLayout.JAVA_LONG : layout;
    }

    public static void queueWriteBuffer(long queue, long buffer, long offset, long data, long bytes) {
        try {
            QUEUE_WRITE_BUFFER.invokeExact(queue, buffer, offset, data, bytes);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static long queueSubmitForIndex(long queue, long count, long commands) {
        return call(QUEUE_SUBMIT_FOR_INDEX, queue, count, commands);
    }

    public static void queueOnSubmittedWorkDone(long queue, MemorySegment info) {
        try {
            long _ = (long) QUEUE_ON_WORK_DONE.invokeExact(queue, info);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static long deviceCreateCommandEncoder(long device) {
        return call(CREATE_ENCODER, device, 0);
    }

    public static void copy(long encoder, long from, long fromOffset, long to, long toOffset, long bytes) {
        try {
            COPY.invokeExact(encoder, from, fromOffset, to, toOffset, bytes);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static long finish(long encoder) {
        return call(FINISH, encoder, 0);
    }

    public static void releaseEncoder(long encoder) {
        call(RELEASE_ENCODER, encoder);
    }

    public static void releaseCommands(long commands) {
        call(RELEASE_COMMANDS, commands);
    }

    public static long beginComputePass(long encoder, long descriptor) {
        return call(BEGIN_PASS, encoder, descriptor);
    }

    public static void setPipeline(long pass, long pipeline) {
        try {
            SET_PIPELINE.invokeExact(pass, pipeline);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static void setBindGroup(long pass, int index, long group, long offsets, long offsetsAddress) {
        try {
            SET_BIND_GROUP.invokeExact(pass, index, group, offsets, offsetsAddress);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static void dispatch(long pass, int x, int y, int z) {
        try {
            DISPATCH.invokeExact(pass, x, y, z);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static void pushDebugGroup(long pass, MemorySegment name) {
        try {
            PUSH_DEBUG_GROUP.invokeExact(pass, name);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static void popDebugGroup(long pass) {
        call(POP_DEBUG_GROUP, pass);
    }

    public static void endPass(long pass) {
        call(END_PASS, pass);
    }

    public static void releasePass(long pass) {
        call(RELEASE_PASS, pass);
    }

    public static void resolveQuerySet(long encoder, long querySet, int first, int count, long to, long toOffset) {
        try {
            RESOLVE_QUERY_SET.invokeExact(encoder, querySet, first, count, to, toOffset);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static void bufferMapAsync(long buffer, long mode, long offset, long bytes, MemorySegment info) {
        try {
            long _ = (long) MAP_ASYNC.invokeExact(buffer, mode, offset, bytes, info);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    public static long bufferGetConstMappedRange(long buffer, long offset, long bytes) {
        return call(CONST_MAPPED_RANGE, buffer, offset, bytes);
    }

    public static long bufferGetMappedRange(long buffer, long offset, long bytes) {
        return call(MAPPED_RANGE, buffer, offset, bytes);
    }

    public static void bufferUnmap(long buffer) {
        call(UNMAP, buffer);
    }

    /** Runs the callbacks of finished work, without waiting; returns whether the queue is empty. */
    public static boolean poll(long device) {
        try {
            // a Rust bool in the lowest byte; the bytes above it are undefined
            return ((int) POLL.invokeExact(device, 0, 0L) & 0xff) != 0;
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static void call(MethodHandle function, long argument) {
        try {
            function.invokeExact(argument);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static long call(MethodHandle function, long first, long second) {
        try {
            return (long) function.invokeExact(first, second);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static long call(MethodHandle function, long first, long second, long third) {
        try {
            return (long) function.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    private static AssertionError impossible(Throwable thrown) {
        return new AssertionError("a native call threw", thrown);
    }
}
