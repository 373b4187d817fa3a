package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.Downcalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records commands and submits them together. One object serves one recording after the other:
 *
 * <pre>{@code
 * try (Commands recording = commands.begin()) {
 *     recording.copy(...);
 *     recording.submit();
 * }
 * }</pre>
 *
 * <p>A recording that is closed without {@link #submit()} is cancelled.
 *
 * <p>Consecutive dispatches share a pass, since each pass costs time in the library and on the device. Each dispatch
 * still sees what the one before wrote (WebGPU, section 3.4.3: each dispatch is a usage scope).
 *
 * <p>Threads: one thread at a time.
 */
public final class Commands implements AutoCloseable {
    /** The bytes of the four words of {@link #write}. */
    static final int WORDS_BYTES = 4 * Integer.BYTES;

    private final GpuDevice device;
    private final SubmissionQueue queue;

    private long encoder;
    private long pass;
    private long finished;
    private boolean open;
    /** Whether the recording has exclusive use of the queue. */
    private boolean exclusive;

    /** The name of the current dispatches, or null for none. */
    private @Nullable MemorySegment group;

    /** Makes a recorder. */
    public Commands(GpuDevice device) {
        this(device, device.queue());
    }

    Commands(GpuDevice device, SubmissionQueue queue) {
        this.device = device;
        this.queue = queue;
    }

    /**
     * Begins a recording: until it ends, no other thread submits. All earlier writes come first; later ones wait for
     * the next submission.
     *
     * @return this object, as the scope of the recording
     */
    public Commands begin() {
        requireClosed();
        queue.begin();
        exclusive = true;
        return start();
    }

    /**
     * Begins a recording for a later submission. Other threads write and submit meanwhile; what they write comes before
     * the commands. {@link #close} must follow, also after the submission.
     *
     * <p>It is finished when it is submitted: the library frees finished commands only when it submits them, and
     * recorded ones at any time.
     */
    public void beginPrepared() {
        requireClosed();
        device.requireAlive();
        start();
    }

    /** Whether a recording has begun and not ended. */
    public boolean isOpen() {
        return open;
    }

    private void requireClosed() {
        if (open) {
            throw new AssertionError("a recording was begun twice");
        }
    }

    private Commands start() {
        open = true;
        try {
            encoder = Downcalls.deviceCreateCommandEncoder(device.address);
            device.errors.check("wgpuDeviceCreateCommandEncoder");
            if (exclusive) {
                queue.record(this);
            }
            return this;
        } catch (RuntimeException | Error e) {
            close(); // begin has not returned the scope yet
            throw e;
        }
    }

    /**
     * Records a copy.
     *
     * @param bytes a multiple of 4, as both offsets are
     */
    public void copy(GpuBuffer from, long fromOffset, GpuBuffer to, long toOffset, long bytes) {
        from.requireRange(fromOffset, bytes);
        to.requireRange(toOffset, bytes);
        if (from == to) {
            throw new AssertionError("a copy from a buffer to itself");
        }
        endPass();
        Downcalls.copy(encoder, from.address, fromOffset, to.address, toOffset, bytes);
    }

    /**
     * Records a write of four words to the start of a buffer. The commands behind it see it, and no others need it: it
     * is how this backend's kernels get the parameters of a dispatch.
     */
    public void write(GpuBuffer to, int first, int second, int third, int fourth) {
        if (!exclusive) {
            throw new AssertionError("a write in commands that are submitted later");
        }
        long address = reserve(WORDS_BYTES);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, address, first);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, address + 4, second);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, address + 8, third);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, address + 12, fourth);
        copyReserved(address, to, 0, WORDS_BYTES);
    }

    /** Records the copy of bytes from an address that was reserved last, or behind it. */
    void copyReserved(long address, GpuBuffer to, long toOffset, long bytes) {
        copy(staging().buffer(), address - staging().address(), to, toOffset, bytes);
    }

    /**
     * Reserves mapped memory, for bytes that the commands copy; returns its address, which lies in {@link #staging}.
     *
     * @param bytes at most {@link SubmissionQueue#MAX_WRITE_BYTES}
     */
    public long reserve(long bytes) {
        return queue.staging.reserve(bytes);
    }

    /** The staging of the bytes that were reserved last; it is unmapped with the submission. */
    public StagingBuffer staging() {
        return queue.staging.chunk();
    }

    /** Records a dispatch. */
    public void dispatch(GpuPipeline pipeline, GpuBindGroup[] groups, int x, int y, int z) {
        requireWorkgroups(x, y, z);
        bind(pipeline, groups);
        Downcalls.dispatch(pass, x, y, z);
    }

    /** Records a dispatch along one axis, of a kernel with two groups. */
    public void dispatch(GpuPipeline pipeline, GpuBindGroup first, GpuBindGroup second, int workgroups) {
        requireWorkgroups(workgroups, 1, 1);
        joinPass();
        Downcalls.setPipeline(pass, pipeline.address);
        Downcalls.setBindGroup(pass, 0, first.address, 0, 0);
        Downcalls.setBindGroup(pass, 1, second.address, 0, 0);
        Downcalls.dispatch(pass, workgroups, 1, 1);
    }

    /** Records a dispatch without workgroups: the library validates it like any other, and nothing runs. */
    public void dispatchNothing(GpuPipeline pipeline, GpuBindGroup[] groups) {
        bind(pipeline, groups);
        Downcalls.dispatch(pass, 0, 0, 0);
    }

    private void requireWorkgroups(int x, int y, int z) {
        int max = device.limits().maxWorkgroups();
        if (x < 1 || y < 1 || z < 1 || x > max || y > max || z > max) {
            throw new AssertionError("dispatch of " + x + " by " + y + " by " + z + " workgroups");
        }
    }

    private void bind(GpuPipeline pipeline, GpuBindGroup[] groups) {
        joinPass();
        Downcalls.setPipeline(pass, pipeline.address);
        for (int i = 0; i < groups.length; i++) {
            Downcalls.setBindGroup(pass, i, groups[i].address, 0, 0);
        }
    }

    /**
     * Names the dispatches that follow in the pass, for tools of the device.
     *
     * @param name a {@code WGPUStringView} that outlives the recording, or null for no name
     */
    public void group(@Nullable MemorySegment name) {
        if (!Objects.equals(name, group)) {
            endGroup();
            if (name != null) {
                joinPass();
                Downcalls.pushDebugGroup(pass, name);
                group = name;
            }
        }
    }

    private void endGroup() {
        if (group != null) {
            Downcalls.popDebugGroup(pass);
            group = null;
        }
    }

    private void joinPass() {
        if (pass == 0) {
            pass = Downcalls.beginComputePass(encoder, 0);
        }
    }

    /** Begins a pass that records its begin and end times; {@link #endPass} must follow. */
    public void beginPass(GpuTimestamps times, int index) {
        endPass();
        pass = Downcalls.beginComputePass(encoder, times.passes[index].address());
    }

    /** Ends the current pass, if there is one. */
    public void endPass() {
        if (pass != 0) {
            endGroup();
            Downcalls.endPass(pass);
            Downcalls.releasePass(pass);
            pass = 0;
        }
    }

    /** Records the copy of all pass times to a buffer that the host can read. */
    public void resolve(GpuTimestamps times) {
        endPass();
        Downcalls.resolveQuerySet(
                encoder, times.querySet.address(), 0, 2 * times.passes.length, times.results().address, 0);
    }

    /**
     * Submits the commands, and ends the recording. Later submissions and maps see their effects.
     *
     * @throws DeviceException if the device fails
     */
    public void submit() {
        if (exclusive) {
            submit(0);
        } else {
            finish();
            queue.submitFinished(finished);
            end();
        }
    }

    /** As {@link #submit()}, with prepared commands behind these in the same submission. */
    public void submit(Commands prepared) {
        prepared.finish();
        submit(prepared.finished);
        prepared.end();
    }

    /** As {@link #submit()}, with finished commands behind these unless they are 0. */
    void submit(long behind) {
        finish();
        queue.submit(finished, behind);
        exclusive = false;
        queue.end();
        end();
    }

    private void finish() {
        endPass();
        finished = Downcalls.finish(encoder);
        Downcalls.releaseEncoder(encoder);
        encoder = 0;
        device.errors.check("wgpuCommandEncoderFinish");
    }

    private void end() {
        open = false;
        if (finished != 0) {
            Downcalls.releaseCommands(finished);
            finished = 0;
        }
    }

    /** Cancels the recording, whatever its state; does nothing after it has ended. */
    @Override
    public void close() {
        if (open) {
            endPass();
            if (encoder != 0) {
                Downcalls.releaseEncoder(encoder);
                encoder = 0;
            }
            end();
            device.errors.drop();
            if (exclusive) {
                exclusive = false;
                queue.cancel();
            }
        }
    }
}
