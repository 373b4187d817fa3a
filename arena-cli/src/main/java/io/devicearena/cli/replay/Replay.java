package io.devicearena.cli.replay;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.cli.message.ProgressLine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Plays an execution on an arena without computing: every value is written when its life begins and read when it ends,
 * and each byte that is read is held against what was written. A plan that lets two live values share bytes, and a
 * device that loses or moves one, cannot pass.
 *
 * <p>Values of whole f32 elements that fit the host's piece of memory go through the typed calls, the others through the
 * raw ones, piece by piece.
 */
public final class Replay {
    private static final long PIECE = 16L << 20;

    private final DeviceArena arena;
    private final List<ReplayValue> values;
    private final long seed;
    private final ProgressLine progress;
    private final long workBytes;

    private long doneBytes;
    private long writtenBytes;
    private long writeNanos;
    private long verifiedBytes;
    private long readNanos;

    public Replay(DeviceArena arena, List<ReplayValue> values, long seed, ProgressLine progress) {
        this.arena = arena;
        this.values = values;
        this.seed = seed;
        this.progress = progress;
        this.workBytes = 2 * values.stream().mapToLong(ReplayValue::bytes).sum();
    }

    /**
     * What a replay measured.
     *
     * @param verifiedBytes bytes that were read and found as written
     * @param uploadGBps 10^9 bytes a second that the arena's write calls took
     * @param readbackGBps 10^9 bytes a second that the arena's read calls gave
     */
    public record Outcome(long verifiedBytes, double uploadGBps, double readbackGBps) {}

    /**
     * Plays the execution.
     *
     * @throws VerificationException if a byte is not what was written
     */
    public Outcome run() {
        try (Arena host = Arena.ofConfined()) {
            long piece = Math.min(
                    PIECE,
                    Math.max(values.stream().mapToLong(ReplayValue::bytes).max().orElse(0), 1));
            play(host.allocate(piece, 64), host.allocate(piece, 64));
        } finally {
            progress.end();
        }
        return new Outcome(
                verifiedBytes,
                gigabytesPerSecond(writtenBytes, writeNanos),
                gigabytesPerSecond(verifiedBytes, readNanos));
    }

    private static double gigabytesPerSecond(long bytes, long nanos) {
        return nanos == 0 ? 0 : bytes / (double) nanos;
    }

    private void play(MemorySegment expected, MemorySegment got) {
        ReplayValue[] begins = sorted(Comparator.comparingLong(ReplayValue::lower)
                .thenComparing(ReplayValue::isView)); // a concatenation is there as soon as the first of its parts
        ReplayValue[] ends = sorted(Comparator.comparingLong(ReplayValue::upper));
        int ended = 0;
        for (ReplayValue value : begins) {
            while (ended < ends.length && ends[ended].upper() <= value.lower()) {
                if (lives(ends[ended])) {
                    verify(ends[ended], expected, got);
                }
                ended++;
            }
            if (lives(value)) {
                write(value, expected);
            } else if (value.isView()) {
                verify(value, expected, got);
            }
        }
        for (; ended < ends.length; ended++) {
            if (lives(ends[ended])) {
                verify(ends[ended], expected, got);
            }
        }
    }

    private ReplayValue[] sorted(Comparator<ReplayValue> order) {
        ReplayValue[] sorted = values.toArray(ReplayValue[]::new);
        Arrays.sort(sorted, order); // stable: values of one step stay in the schedule's order
        return sorted;
    }

    /** A view has no bytes of its own and an empty life holds none: neither is written. */
    private static boolean lives(ReplayValue value) {
        return value.upper() > value.lower();
    }

    private void write(ReplayValue value, MemorySegment piece) {
        SeededBytes bytes = new SeededBytes(seed, value.source().value());
        boolean typed = isTyped(value, piece);
        if (typed) {
            arena.setActualLength(value.id(), value.bytes());
        }
        long offset = offset(value.id());
        for (long done = 0; done < value.bytes(); done += piece.byteSize()) {
            MemorySegment data = piece.asSlice(0, Math.min(piece.byteSize(), value.bytes() - done));
            bytes.fill(data, done);
            long start = System.nanoTime();
            if (typed) {
                arena.writeInputF32(value.id(), DType.F32, data);
            } else {
                arena.writeBytes(offset + done, data);
            }
            writeNanos += System.nanoTime() - start;
            writtenBytes += data.byteSize();
            advance(data.byteSize());
        }
    }

    private void verify(ReplayValue value, MemorySegment expectedPiece, MemorySegment gotPiece) {
        SeededBytes bytes = new SeededBytes(seed, value.source().value());
        boolean typed = isTyped(value, gotPiece);
        long offset = offset(value.id());
        for (long done = 0; done < value.bytes(); done += gotPiece.byteSize()) {
            long length = Math.min(gotPiece.byteSize(), value.bytes() - done);
            MemorySegment got = gotPiece.asSlice(0, length);
            MemorySegment expected = expectedPiece.asSlice(0, length);
            long start = System.nanoTime();
            if (typed) {
                arena.readOutputF32(value.id(), DType.F32, got);
            } else {
                arena.readBytes(offset + done, got);
            }
            readNanos += System.nanoTime() - start;
            bytes.fill(expected, value.sourceOffset() + done);
            long wrong = expected.mismatch(got);
            if (wrong >= 0) {
                throw new VerificationException(value.id(), offset, done + wrong, expected, got, wrong);
            }
            verifiedBytes += length;
            advance(length);
        }
    }

    private static boolean isTyped(ReplayValue value, MemorySegment piece) {
        return value.bytes() % Float.BYTES == 0 && value.bytes() <= piece.byteSize();
    }

    private long offset(NodeId id) {
        return arena.byteOffset(id).orElseThrow(() -> new IllegalStateException(id + ": the plan gave it no slot"));
    }

    private void advance(long bytes) {
        doneBytes += bytes;
        progress.show("writing, reading, verifying", doneBytes, workBytes);
    }
}
