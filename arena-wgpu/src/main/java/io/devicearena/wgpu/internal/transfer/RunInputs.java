package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one run: commands at the front of its submission bring them from staging to the arena. Large ones have
 * staging of their own, which is filled before other threads have to wait. One object serves one run after the other.
 *
 * <p>Threads: one thread at a time.
 */
final class RunInputs {
    private final TransferPools pools;
    private final HostView host;
    private final MirroredWrite write;
    private List<Span> spans = List.of();
    private @Nullable ArenaBuffers buffers;
    /** The staging of large inputs, or null for that of the submission. */
    private @Nullable StagingBuffer own;

    private long bytes;

    RunInputs(TransferPools pools, HostView host, MirroredWrite write) {
        this.pools = pools;
        this.host = host;
        this.write = write;
    }

    /**
     * Sets the inputs of the next run; no other thread waits for them. {@link #clear} must follow.
     *
     * @throws IllegalArgumentException if they are larger than a buffer of the device, or too many
     */
    void set(List<Span> inputs, ArenaBuffers target) {
        spans = inputs;
        buffers = target;
        bytes = 0;
        int recorded = 0;
        for (int i = 0; i < spans.size(); i++) {
            long elements = select(spans.get(i));
            bytes += write.bytes(0, elements);
            recorded += write.isWhole(elements) && !write.castsOnDevice() ? 0 : 1;
        }
        if (recorded > SubmissionQueue.MAX_RECORDED_WRITES) {
            throw new IllegalArgumentException("writes: expected at most " + SubmissionQueue.MAX_RECORDED_WRITES
                    + " inputs in one run that are not whole words, or whose mirrors the device casts, got " + recorded
                    + "; write some of them before the run");
        }
        long most = pools.device().limits().maxBufferBytes();
        if (bytes > most) {
            throw new IllegalArgumentException("writes: expected at most " + most
                    + " bytes of inputs in one run (maxBufferSize), mirrors included, got " + bytes
                    + "; write some of them before the run");
        }
        if (bytes > SubmissionQueue.MAX_WRITE_BYTES) {
            own = pools.inputs.acquire(bytes);
            fill(own.address());
        }
    }

    /** Sets the write of an input; returns its elements. */
    private long select(Span span) {
        ArenaBuffers target = Objects.requireNonNull(buffers);
        long elements = host.set(span);
        write.set(target, target.arena(), span.offset(), elements, Mirror.of(target.mirrors(), span));
        return elements;
    }

    private void fill(long address) {
        long at = address;
        for (int i = 0; i < spans.size(); i++) {
            long elements = select(spans.get(i));
            write.fill(0, elements, at);
            at += write.bytes(0, elements);
        }
    }

    /** Whether there is nothing to write. */
    boolean isEmpty() {
        return bytes == 0;
    }

    /** Records the writes, before all other commands. */
    void record(Commands commands) {
        if (isEmpty()) {
            return;
        }
        pools.device().checkAlive(); // the bytes at the ends are read from mapped memory
        StagingBuffer from = own;
        long position = 0;
        if (from == null) {
            long address = commands.reserve(bytes);
            fill(address);
            from = commands.staging();
            position = address - from.address();
        }
        for (int i = 0; i < spans.size(); i++) {
            long elements = select(spans.get(i));
            write.record(commands, from, position, 0, elements);
            write.recordCast(commands, elements);
            position += write.bytes(0, elements);
        }
        if (own != null) {
            own.unmap();
        }
    }

    /** Gives the staging of submitted inputs back to its pool. */
    void submitted() {
        StagingBuffer read = own;
        if (read != null) {
            own = null;
            pools.inputs.release(read);
        }
    }

    /** Drops the inputs, and the staging of those that were not submitted. */
    void clear() {
        if (own != null) {
            own.close();
            own = null;
        }
        spans = List.of();
        bytes = 0;
    }
}
