package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.QueuedWrites;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one run, which are written in its submission. Small ones, of whole words, are {@link QueuedWrites}.
 * Others wait in staging of their size, and commands at the front of the submission bring them to the arena. One object
 * serves one run after the other.
 *
 * <p>Threads: one thread at a time.
 */
final class RunInputs implements QueuedWrites {
    private final TransferPools pools;
    private final HostView host;
    private final MirroredWrite write;
    private List<Span> spans = List.of();
    private @Nullable F16Mirrors mirrors;
    private @Nullable ArenaBuffers buffers;
    private @Nullable StagingBuffer staging;
    private long bytes;
    private int writes;

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
    void set(List<Span> inputs, F16Mirrors rule, ArenaBuffers target) {
        spans = inputs;
        mirrors = rule;
        buffers = target;
        bytes = 0;
        writes = 0;
        boolean whole = true;
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            Mirror mirror = mirror(span);
            bytes += write.bytes(0, select(span, mirror));
            writes += parts(target.arena(), span.offset(), span.bytes());
            writes += mirror == Mirror.NONE ? 0 : parts(target.shadow(), span.offset() / 2, span.bytes() / 2);
            whole &= isWhole(span, mirror);
        }
        if (!whole || bytes > SubmissionQueue.MAX_WRITE_BYTES || writes > SubmissionQueue.MAX_QUEUED_WRITES) {
            writes = 0;
            stage();
        }
    }

    /** Whether an input and its mirror are whole words. */
    private static boolean isWhole(Span span, Mirror mirror) {
        boolean odd = mirror != Mirror.NONE && (span.elements() & 1) == 1;
        return ((span.offset() | span.bytes()) & Words.REST) == 0 && !odd;
    }

    private static int parts(SegmentedBuffer buffers, long offset, long length) {
        return length == 0 ? 0 : buffers.indexOf(offset + length - 1) - buffers.indexOf(offset) + 1;
    }

    /** Sets the write of an input, with the mirror that the host casts; returns its elements. */
    private long select(Span span, Mirror onHost) {
        long elements = host.set(span);
        ArenaBuffers target = Objects.requireNonNull(buffers);
        write.set(target, target.arena(), span.offset(), onHost);
        return elements;
    }

    private Mirror mirror(Span span) {
        return Mirror.of(Objects.requireNonNull(mirrors), span);
    }

    /** The mirror of a staged input that the host casts; the device casts the others. */
    private Mirror onHost(Span span, Mirror mirror) {
        boolean onDevice = span.bytes() > TransferContext.SMALL_BYTES && pools.castsOnDevice();
        return onDevice ? Mirror.NONE : mirror;
    }

    private void stage() {
        bytes = 0;
        int recorded = 0;
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            Mirror mirror = mirror(span);
            Mirror onHost = onHost(span, mirror);
            bytes += write.bytes(0, select(span, onHost));
            recorded += isWhole(span, mirror) && onHost == mirror ? 0 : 1;
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
        StagingBuffer mapped = pools.inputs.acquire(bytes);
        staging = mapped;
        long address = mapped.address();
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            long elements = select(span, onHost(span, mirror(span)));
            write.fill(0, elements, address);
            address += write.bytes(0, elements);
        }
    }

    /** Whether there is nothing to write. */
    boolean isEmpty() {
        return writes == 0 && staging == null;
    }

    /** Whether commands must be recorded for the inputs. */
    boolean areStaged() {
        return staging != null;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public int writes() {
        return writes;
    }

    @Override
    public void writeTo(long address, Target target) {
        long at = address;
        for (int i = 0; i < spans.size(); i++) {
            long elements = select(spans.get(i), mirror(spans.get(i)));
            write.fill(0, elements, at);
            write.write(target, elements, at);
            at += write.bytes(0, elements);
        }
    }

    /** Records the writes of staged inputs, before all other commands. The staging is unmapped then. */
    void record(Commands commands) {
        StagingBuffer from = staging;
        if (from == null) {
            return;
        }
        commands.requireAlive(); // the bytes at the ends are read from mapped memory
        long position = 0;
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            Mirror mirror = mirror(span);
            Mirror onHost = onHost(span, mirror);
            long elements = select(span, onHost);
            write.record(commands, from, position, 0, elements);
            if (onHost != mirror) {
                Objects.requireNonNull(buffers).recordCast(commands, span.offset(), elements, mirror == Mirror.PADDED);
            }
            position += write.bytes(0, elements);
        }
        from.unmap();
    }

    /** Gives the staging of submitted inputs back to its pool. */
    void submitted() {
        StagingBuffer read = staging;
        if (read != null) {
            staging = null;
            pools.inputs.release(read);
        }
    }

    /** Drops the inputs, and the staging of those that were not submitted. */
    void clear() {
        if (staging != null) {
            staging.close();
            staging = null;
        }
        spans = List.of();
        bytes = 0;
        writes = 0;
    }
}
