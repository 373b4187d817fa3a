package io.devicearena.wgpu.internal.raw;

import io.devicearena.wgpu.ffi.WGPUBufferMapCallbackInfo;
import io.devicearena.wgpu.ffi.WGPUQueueWorkDoneCallbackInfo;
import io.devicearena.wgpu.ffi.WGPUStringView;
import io.devicearena.wgpu.ffi.WgpuNative;
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
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** The descriptors of all functions below; the metadata of native images lists them. */
    private static final List<FunctionDescriptor> DESCRIPTORS = new ArrayList<>();

    private static final MethodHandle QUEUE_WRITE_BUFFER = function(
            WgpuNative.wgpuQueueWriteBuffer$address(), FunctionDescriptor.ofVoid(LONG, LONG, LONG, LONG, LONG));
    private static final MethodHandle QUEUE_SUBMIT_FOR_INDEX =
            function(WgpuNative.wgpuQueueSubmitForIndex$address(), FunctionDescriptor.of(LONG, LONG, LONG, LONG));
    private static final MethodHandle QUEUE_ON_WORK_DONE = function(
            WgpuNative.wgpuQueueOnSubmittedWorkDone$address(),
            FunctionDescriptor.of(LONG, LONG, WGPUQueueWorkDoneCallbackInfo.layout()));
    private static final MethodHandle CREATE_ENCODER =
            function(WgpuNative.wgpuDeviceCreateCommandEncoder$address(), FunctionDescriptor.of(LONG, LONG, LONG));
    private static final MethodHandle COPY = function(
            WgpuNative.wgpuCommandEncoderCopyBufferToBuffer$address(),
            FunctionDescriptor.ofVoid(LONG, LONG, LONG, LONG, LONG, LONG));
    private static final MethodHandle FINISH =
            function(WgpuNative.wgpuCommandEncoderFinish$address(), FunctionDescriptor.of(LONG, LONG, LONG));
    private static final MethodHandle RELEASE_ENCODER =
            function(WgpuNative.wgpuCommandEncoderRelease$address(), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle RELEASE_COMMANDS =
            function(WgpuNative.wgpuCommandBufferRelease$address(), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle BEGIN_PASS =
            function(WgpuNative.wgpuCommandEncoderBeginComputePass$address(), FunctionDescriptor.of(LONG, LONG, LONG));
    private static final MethodHandle SET_PIPELINE =
            function(WgpuNative.wgpuComputePassEncoderSetPipeline$address(), FunctionDescriptor.ofVoid(LONG, LONG));
    private static final MethodHandle SET_BIND_GROUP = function(
            WgpuNative.wgpuComputePassEncoderSetBindGroup$address(),
            FunctionDescriptor.ofVoid(LONG, INT, LONG, LONG, LONG));
    private static final MethodHandle DISPATCH = function(
            WgpuNative.wgpuComputePassEncoderDispatchWorkgroups$address(),
            FunctionDescriptor.ofVoid(LONG, INT, INT, INT));
    private static final MethodHandle END_PASS =
            function(WgpuNative.wgpuComputePassEncoderEnd$address(), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle PUSH_DEBUG_GROUP = function(
            WgpuNative.wgpuComputePassEncoderPushDebugGroup$address(),
            FunctionDescriptor.ofVoid(LONG, WGPUStringView.layout()));
    private static final MethodHandle POP_DEBUG_GROUP =
            function(WgpuNative.wgpuComputePassEncoderPopDebugGroup$address(), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle RESOLVE_QUERY_SET = function(
            WgpuNative.wgpuCommandEncoderResolveQuerySet$address(),
            FunctionDescriptor.ofVoid(LONG, LONG, INT, INT, LONG, LONG));
    private static final MethodHandle RELEASE_PASS =
            function(WgpuNative.wgpuComputePassEncoderRelease$address(), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle MAP_ASYNC = function(
            WgpuNative.wgpuBufferMapAsync$address(),
            FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, WGPUBufferMapCallbackInfo.layout()));
    private static final MethodHandle CONST_MAPPED_RANGE =
            function(WgpuNative.wgpuBufferGetConstMappedRange$address(), FunctionDescriptor.of(LONG, LONG, LONG, LONG));
    private static final MethodHandle MAPPED_RANGE =
            function(WgpuNative.wgpuBufferGetMappedRange$address(), FunctionDescriptor.of(LONG, LONG, LONG, LONG));
    private static final MethodHandle UNMAP =
            function(WgpuNative.wgpuBufferUnmap$address(), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle POLL =
            function(WgpuNative.wgpuDevicePoll$address(), FunctionDescriptor.of(INT, LONG, INT, LONG));

    private Downcalls() {}

    static List<FunctionDescriptor> descriptors() {
        return List.copyOf(DESCRIPTORS);
    }

    private static MethodHandle function(MemorySegment address, FunctionDescriptor descriptor) {
        requireSameShape(descriptor);
        DESCRIPTORS.add(descriptor);
        return Linker.nativeLinker().downcallHandle(address, descriptor);
    }

    /** Every argument is 4 or 8 bytes wide, a text, or one of the two callback structs. */
    private static void requireSameShape(FunctionDescriptor descriptor) {
        for (MemoryLayout layout : descriptor.argumentLayouts()) {
            if (!layout.equals(INT)
                    && !layout.equals(LONG)
                    && !layout.equals(WGPUStringView.layout())
                    && layout.byteSize() != CallbackSlot.INFO_BYTES) {
                throw new AssertionError("argument of " + layout.byteSize() + " bytes");
            }
        }
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
