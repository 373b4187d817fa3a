package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Commands that are recorded and then submitted together. Made once and used for one submission after the other.
 *
 * <p>Threads: one thread at a time. Lifetime: from {@link #begin} to {@link #submit()} or {@link #discard}.
 */
public final class Commands {
    private final GpuDevice device;
    /** One word for the finished commands, which the library takes as an array. */
    private final MemorySegment finished = AddressSpace.FOREVER.allocate(ValueLayout.JAVA_LONG);

    private final MemorySegment offsets = AddressSpace.FOREVER.allocate(ValueLayout.JAVA_INT);
    private long encoder;
    private long pass;

    /** Makes a recorder for a device. */
    public Commands(GpuDevice device) {
        this.device = device;
    }

    /** Starts recording. */
    public void begin() {
        if (encoder != 0) {
            throw new AssertionError("commands were begun twice");
        }
        device.requireAlive();
        encoder = Downcalls.deviceCreateCommandEncoder(device.address());
        check("wgpuDeviceCreateCommandEncoder");
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
        Downcalls.copy(encoder, from.address(), fromOffset, to.address(), toOffset, bytes);
    }

    /**
     * Records a dispatch along one axis; each dispatch is a pass of its own, so each sees what the one before wrote.
     *
     * @param parameters where the kernel's one dynamic binding begins
     */
    public void dispatch(GpuKernel kernel, GpuBindGroup group, int workgroups, int parameters) {
        if (workgroups < 1 || workgroups > device.limits().maxWorkgroups()) {
            throw new AssertionError("dispatch of " + workgroups + " workgroups");
        }
        offsets.set(ValueLayout.JAVA_INT, 0, parameters);
        pass = Downcalls.beginComputePass(encoder, 0);
        Downcalls.setPipeline(pass, kernel.pipelineAddress());
        Downcalls.setBindGroup(pass, 0, group.address(), 1, offsets.address());
        Downcalls.dispatch(pass, workgroups, 1, 1);
        endPass();
    }

    private void endPass() {
        Downcalls.endPass(pass);
        Downcalls.releasePass(pass);
        pass = 0;
    }

    /**
     * Submits what was recorded; later submissions and maps see its effects.
     *
     * @throws DeviceException if the device fails
     */
    public void submit() {
        finish();
        try {
            device.submit(finished.get(ValueLayout.JAVA_LONG, 0));
        } finally {
            release();
        }
    }

    /** Submits what was recorded, behind a write of its parameters. */
    public void submit(GpuBuffer parameters, long source, long bytes) {
        finish();
        try {
            device.submit(finished.get(ValueLayout.JAVA_LONG, 0), parameters, source, bytes);
        } finally {
            release();
        }
    }

    private void finish() {
        long commands = Downcalls.finish(encoder);
        finished.set(ValueLayout.JAVA_LONG, 0, commands);
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
        if (pass != 0) {
            endPass();
        }
        if (encoder != 0) {
            Downcalls.releaseEncoder(encoder);
            encoder = 0;
        }
        release();
        device.errors().drop();
    }

    private void release() {
        long commands = finished.get(ValueLayout.JAVA_LONG, 0);
        if (commands != 0) {
            Downcalls.releaseCommands(commands);
            finished.set(ValueLayout.JAVA_LONG, 0, 0);
        }
    }
}
