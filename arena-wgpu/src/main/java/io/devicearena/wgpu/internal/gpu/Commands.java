package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.Downcalls;

import io.devicearena.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Commands that are recorded and then submitted together, or finished ahead of their submission. Made once and used for
 * one recording after the other.
 *
 * <p>Dispatches that follow each other share a pass, since each pass costs the library and the device some time; each
 * dispatch sees what the one before wrote all the same (WebGPU, section 3.4.3: each is a usage scope of its own).
 *
 * <p>Threads: one thread at a time. Lifetime: from {@link #begin} to {@link #submit()}, or from {@link #beginAhead} to
 * {@link #finishAhead}, or to {@link #discard}.
 */
public final class Commands {
    private final GpuDevice device;
    private final MemorySegment offsets = AddressSpace.FOREVER.allocate(ValueLayout.JAVA_INT);
    /** Whether the device waits for the submission. */
    private boolean held;

    private long encoder;
    private long pass;
    private long finished;

    /** Makes a recorder for a device. */
    public Commands(GpuDevice device) {
        this.device = device;
    }

    /** Starts recording: until it ends, no other thread writes or submits. All that was written before comes first. */
    public void begin() {
        requireNotBegun();
        device.beginRecording();
        start();
    }

    /**
     * Starts recording commands with parameters, which {@link #submit(long, long)} hands over.
     *
     * @param parameters where they are written to, ahead of the commands
     * @param most the most bytes of them
     */
    public void begin(GpuBuffer parameters, long most) {
        requireNotBegun();
        device.beginRecording(parameters, most);
        start();
    }

    private void requireNotBegun() {
        if (held || encoder != 0) {
            throw new AssertionError("commands were begun twice");
        }
    }

    private void start() {
        held = true;
        createEncoder();
        device.recordWrites(encoder);
    }

    private void createEncoder() {
        encoder = Downcalls.deviceCreateCommandEncoder(device.address());
        check("wgpuDeviceCreateCommandEncoder");
    }

    /** Starts recording commands that {@link #finishAhead} ends; other threads write and submit meanwhile. */
    public void beginAhead() {
        requireNotBegun();
        device.requireAlive();
        createEncoder();
    }

    /** Ends the recording; the commands are submitted later, once. */
    public void finishAhead(FinishedCommands into) {
        finish();
        into.set(finished);
        finished = 0;
    }

    /**
     * Records a copy.
     *
     * @param bytes a multiple of 4, as both offsets are
     */
    public void copy(GpuBuffer from, long fromOffset, GpuBuffer to, long toOffset, long bytes) {
        GpuDevice.requireRange(from, fromOffset, bytes);
        GpuDevice.requireRange(to, toOffset, bytes);
        if (from == to) {
            throw new AssertionError("a copy from a buffer to itself");
        }
        endPass();
        Downcalls.copy(encoder, from.address(), fromOffset, to.address(), toOffset, bytes);
    }

    /**
     * Records a dispatch along one axis.
     *
     * @param parameters where the kernel's one dynamic binding begins
     */
    public void dispatch(GpuKernel kernel, GpuBindGroup group, int workgroups, int parameters) {
        if (workgroups < 1 || workgroups > device.limits().maxWorkgroups()) {
            throw new AssertionError("dispatch of " + workgroups + " workgroups");
        }
        offsets.set(ValueLayout.JAVA_INT, 0, parameters);
        joinPass();
        Downcalls.setPipeline(pass, kernel.pipelineAddress());
        Downcalls.setBindGroup(pass, 0, group.address(), 1, offsets.address());
        Downcalls.dispatch(pass, workgroups, 1, 1);
    }

    private void joinPass() {
        if (pass == 0) {
            pass = Downcalls.beginComputePass(encoder, 0);
        }
    }

    /** Begins a pass that notes when it begins and ends; it is to be ended. */
    public void beginPass(GpuTimestamps times, int index) {
        endPass();
        pass = Downcalls.beginComputePass(encoder, times.passAddress(index));
    }

    /** Records a dispatch. */
    public void dispatch(GpuPipeline pipeline, GpuBindGroup[] groups, int x, int y, int z) {
        int most = device.limits().maxWorkgroups();
        if (x < 1 || y < 1 || z < 1 || x > most || y > most || z > most) {
            throw new AssertionError("dispatch of " + x + " by " + y + " by " + z + " workgroups");
        }
        bind(pipeline, groups);
        Downcalls.dispatch(pass, x, y, z);
    }

    /** Records a dispatch along one axis, of a kernel with two groups. */
    public void dispatch(GpuPipeline pipeline, GpuBindGroup first, GpuBindGroup second, int workgroups) {
        if (workgroups < 1 || workgroups > device.limits().maxWorkgroups()) {
            throw new AssertionError("dispatch of " + workgroups + " workgroups");
        }
        joinPass();
        Downcalls.setPipeline(pass, pipeline.address());
        Downcalls.setBindGroup(pass, 0, first.address(), 0, 0);
        Downcalls.setBindGroup(pass, 1, second.address(), 0, 0);
        Downcalls.dispatch(pass, workgroups, 1, 1);
    }

    /** Records a dispatch without workgroups: it is checked as any other is, and does nothing. */
    public void dispatchNothing(GpuPipeline pipeline, GpuBindGroup[] groups) {
        bind(pipeline, groups);
        Downcalls.dispatch(pass, 0, 0, 0);
    }

    private void bind(GpuPipeline pipeline, GpuBindGroup[] groups) {
        joinPass();
        Downcalls.setPipeline(pass, pipeline.address());
        for (int i = 0; i < groups.length; i++) {
            Downcalls.setBindGroup(pass, i, groups[i].address(), 0, 0);
        }
    }

    /** Records that the times of all passes are put where the host can read them. */
    public void resolve(GpuTimestamps times) {
        endPass();
        Downcalls.resolveQuerySet(
                encoder,
                times.querySetAddress(),
                0,
                times.queries(),
                times.results().address(),
                0);
    }

    /** Ends the pass of the last dispatches, if there is one. */
    public void endPass() {
        if (pass != 0) {
            Downcalls.endPass(pass);
            Downcalls.releasePass(pass);
            pass = 0;
        }
    }

    /**
     * Submits what was recorded; later submissions and maps see its effects.
     *
     * @throws DeviceException if the device fails
     */
    public void submit() {
        finish();
        submitFinished();
    }

    /** Submits what was recorded, with its parameters. */
    public void submit(long parameters, long bytes) {
        finish();
        device.fillParameters(parameters, bytes);
        submitFinished();
    }

    private void submitFinished() {
        @Nullable StagingBuffer written;
        try {
            written = device.submitRecording(finished);
            held = false;
        } catch (RuntimeException e) {
            discard();
            throw e;
        }
        release();
        device.giveBack(written); // when this fails the recording has ended all the same
    }

    private void finish() {
        endPass();
        finished = Downcalls.finish(encoder);
        Downcalls.releaseEncoder(encoder);
        encoder = 0;
        check("wgpuCommandEncoderFinish");
    }

    private void check(String call) {
        try {
            device.errors().check(call);
        } catch (DeviceException e) {
            discard();
            throw e;
        }
    }

    /** Forgets what was recorded, whatever state it is in. */
    public void discard() {
        endPass();
        if (encoder != 0) {
            Downcalls.releaseEncoder(encoder);
            encoder = 0;
        }
        release();
        device.errors().drop();
        if (held) {
            held = false;
            device.cancelRecording();
        }
    }

    private void release() {
        if (finished != 0) {
            Downcalls.releaseCommands(finished);
            finished = 0;
        }
    }
}
