package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.builtin.DispatchParameters;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one run that are too large for {@link InputWrites}, or not whole words: they are copied to staging of
 * their size, and commands at the front of the submission bring them to the arena. One object serves one run after the
 * other.
 *
 * <p>Kernels write the words that a region shares with other values and cast mirrors. Each finds its parameters in one
 * small buffer, to which they are copied right before its dispatch.
 *
 * <p>Threads: one thread at a time.
 */
final class StagedInputs implements DispatchParameters {
    private static final long WORD = Integer.BYTES;

    private final HostView host;
    private final HostView hostF16;
    private List<Span> spans = List.of();
    private @Nullable TransferPools pools;
    private @Nullable Mirrors mirrors;
    private @Nullable ArenaBuffers buffers;
    private @Nullable StagingBuffer staging;
    private @Nullable Commands recording;
    /** Where the next bytes of the staging are. */
    private long next;

    StagedInputs(HostView host, HostView hostF16) {
        this.host = host;
        this.hostF16 = hostF16;
    }

    /**
     * Copies inputs to staging; no other thread waits for it. {@link #clear} must follow.
     *
     * @throws IllegalArgumentException if they are larger than a buffer of the device
     */
    void stage(List<Span> inputs, TransferPools from, Mirrors rule, ArenaBuffers target) {
        spans = inputs;
        pools = from;
        mirrors = rule;
        buffers = target;
        long bytes = 0;
        for (int i = 0; i < spans.size(); i++) {
            bytes += bytes(spans.get(i));
        }
        long most = from.device().limits().maxBufferBytes();
        if (bytes > most) {
            throw new IllegalArgumentException("writes: expected at most " + most
                    + " bytes of inputs in one run (maxBufferSize), mirrors included, got " + bytes
                    + "; write some of them before the run");
        }
        StagingBuffer mapped = from.inputs().acquire(bytes);
        staging = mapped;
        next = mapped.address();
        for (int i = 0; i < spans.size(); i++) {
            copy(spans.get(i));
        }
    }

    boolean isEmpty() {
        return staging == null;
    }

    /** The bytes of a region in staging. */
    private long bytes(Span span) {
        long parameters = 2; // the words at both ends
        if (castsOnDevice(span)) {
            parameters += buffers().castWindows(span.offset(), span.elements());
        }
        return dataBytes(span) + mirrorBytes(span) + parameters * KernelParameters.BYTES;
    }

    private long dataBytes(Span span) {
        return roundUp((span.offset() & (WORD - 1)) + span.bytes());
    }

    /** The bytes of a mirror that the host casts, with the zero behind an odd end. */
    private long mirrorBytes(Span span) {
        boolean castByHost = mirror(span) != Mirror.NONE && !castsOnDevice(span);
        return castByHost ? roundUp(span.elements() * Short.BYTES) : 0;
    }

    /** Whether the device casts the mirror: an odd end within the value, or where it is faster. */
    private boolean castsOnDevice(Span span) {
        Mirror mirror = mirror(span);
        if (mirror == Mirror.CONTINUED && (span.elements() & 1) == 1) {
            return true;
        }
        return mirror != Mirror.NONE && span.bytes() > TransferContext.SMALL_BYTES && pools().castsOnDevice();
    }

    private void copy(Span span) {
        long elements = span.elements();
        long units = host.set(span);
        ParallelCopier.SHARED.copyTo(host, next + (span.offset() & (WORD - 1)), 0, units);
        next += dataBytes(span);
        long mirror = mirrorBytes(span);
        if (mirror > 0) {
            hostF16.setF16Of(host);
            ParallelCopier.SHARED.copyTo(hostF16, next, 0, elements);
            if ((elements & 1) == 1) {
                AddressSpace.ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, next + mirror - Short.BYTES, (short) 0);
            }
            next += mirror;
        }
    }

    /** Records the writes, if there are any, before all other commands. The staging is unmapped then. */
    void record(Commands commands) {
        StagingBuffer from = staging;
        if (from == null) {
            return;
        }
        commands.requireAlive(); // the kernels' parameters are written to mapped memory
        recording = commands;
        long position = 0; // next is behind the data now, where the parameters go
        for (int i = 0; i < spans.size(); i++) {
            position = record(commands, from, spans.get(i), position);
        }
        from.unmap();
    }

    private long record(Commands commands, StagingBuffer from, Span span, long position) {
        long elements = span.elements();
        long offset = span.offset();
        long end = offset + span.bytes();
        long whole = (end & -WORD) - roundUp(offset);
        SegmentedBuffer arena = buffers().arena();
        if (whole > 0) {
            long lead = roundUp(offset) - (offset & -WORD);
            arena.copyFrom(commands, from.buffer(), position + lead, roundUp(offset), whole);
        }
        buffers().recordEdges(commands, arena, offset, end - offset, from.address() + position, this);
        long behind = position + dataBytes(span);
        long mirror = mirrorBytes(span);
        if (mirror > 0) {
            buffers().shadow().copyFrom(commands, from.buffer(), behind, offset / 2, mirror);
        } else if (castsOnDevice(span)) {
            buffers().recordCast(commands, offset, elements, mirror(span) == Mirror.PADDED, this);
        }
        return behind + mirror;
    }

    @Override
    public int add(int first, int second, int third, int fourth) {
        StagingBuffer from = Objects.requireNonNull(staging);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, next, first);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, next + 4, second);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, next + 8, third);
        AddressSpace.ALL.set(ValueLayout.JAVA_INT, next + 12, fourth);
        Objects.requireNonNull(recording)
                .copy(from.buffer(), next - from.address(), pools().parameters(), 0, KernelParameters.BYTES);
        next += KernelParameters.BYTES;
        return 0;
    }

    /** The staging has room for all of them. */
    @Override
    public boolean hasRoom() {
        return true;
    }

    /** Gives the staging of submitted inputs back to its pool. */
    void submitted() {
        StagingBuffer read = staging;
        if (read != null) {
            staging = null;
            pools().inputs().release(read);
        }
    }

    /** Drops the references to the caller's memory, and the staging of inputs that were not submitted. */
    void clear() {
        if (staging != null) {
            staging.close();
            staging = null;
        }
        recording = null;
        spans = List.of();
        host.clear();
        hostF16.clear();
    }

    private static long roundUp(long bytes) {
        return bytes + (WORD - 1) & -WORD;
    }

    private TransferPools pools() {
        return Objects.requireNonNull(pools);
    }

    private Mirror mirror(Span span) {
        return Objects.requireNonNull(mirrors).of(span);
    }

    private ArenaBuffers buffers() {
        return Objects.requireNonNull(buffers);
    }
}
