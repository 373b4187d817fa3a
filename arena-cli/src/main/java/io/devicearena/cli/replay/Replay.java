package io.devicearena.cli.replay;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.cli.message.ProgressLine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Simulates an execution on an arena: every value is written when its live range begins and read when it ends, and each
 * byte is compared. A plan in which two live values share bytes fails, and so does a device that loses or moves a byte.
 *
 * <p>Values of whole f32 elements up to 16 MiB use the typed calls. Other values use the raw calls, 16 MiB at a time.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Replay {
    private static final long CHUNK_BYTES = 16L << 20;

    private static final boolean RECORDED =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private final DeviceArena arena;
    private final List<ReplayValue> values;
    private final long seed;
    private final ProgressLine progress;
    private final long workBytes;

    private long step;
    private long doneBytes;
    private long writtenBytes;
    private long writeNanos;
    private long verifiedBytes;
    private long readNanos;

    /**
     * Makes a replay.
     *
     * @param arena the arena of the plan
     * @param values the values in the order of the schedule
     * @param seed the seed of the data
     * @param progress shows how much is done
     */
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
     * <p><b>Threads:</b> immutable.
     *
     * @param verifiedBytes bytes that were read and equal what was written
     * @param uploadGBps 10^9 bytes per second of the arena's write calls
     * @param readbackGBps 10^9 bytes per second of the arena's read calls
     */
    public record Outcome(long verifiedBytes, double uploadGBps, double readbackGBps) {}

    /**
     * Runs the replay.
     *
     * @return the bytes that were verified, and the speeds
     * @throws VerificationException if a byte differs from what was written
     */
    public Outcome run() {
        try (Arena host = Arena.ofConfined()) {
            long chunk = Math.min(
                    CHUNK_BYTES,
                    Math.max(values.stream().mapToLong(ReplayValue::bytes).max().orElse(0), 1));
            play(host.allocate(chunk, 64), host.allocate(chunk, 64));
        } finally {
            progress.clear();
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
                .thenComparing(ReplayValue::isView)); // a view reads what is written at its step
        ReplayValue[] ends = sorted(Comparator.comparingLong(ReplayValue::upper));
        int ended = 0;
        for (ReplayValue value : begins) {
            step = value.lower();
            while (ended < ends.length && ends[ended].upper() <= step) {
                end(ends[ended], expected, got);
                ended++;
            }
            if (isLive(value)) {
                recorded("write", value, () -> write(value, expected));
            } else if (value.isView()) {
                recorded("verify", value, () -> verify(value, expected, got));
            }
        }
        for (; ended < ends.length; ended++) {
            end(ends[ended], expected, got);
        }
    }

    private void end(ReplayValue value, MemorySegment expected, MemorySegment got) {
        if (isLive(value)) {
            recorded("verify", value, () -> verify(value, expected, got));
        }
    }

    private void recorded(String operation, ReplayValue value, Runnable work) {
        if (!RECORDED) {
            work.run();
            return;
        }
        ReplayStepEvent.record(step, value.id().value(), operation, work);
    }

    private ReplayValue[] sorted(Comparator<ReplayValue> order) {
        ReplayValue[] sorted = values.toArray(ReplayValue[]::new);
        Arrays.sort(sorted, order); // stable: values of one step stay in the schedule's order
        return sorted;
    }

    /** A view and a value with an empty live range are not written. */
    private static boolean isLive(ReplayValue value) {
        return value.upper() > value.lower();
    }

    private void write(ReplayValue value, MemorySegment chunk) {
        SeededBytes bytes = new SeededBytes(seed, value.source().value());
        boolean typed = isTyped(value, chunk);
        if (typed) {
            arena.setActualLength(value.id(), value.bytes());
        }
        long offset = offset(value.id());
        for (long done = 0; done < value.bytes(); done += chunk.byteSize()) {
            MemorySegment data = chunk.asSlice(0, Math.min(chunk.byteSize(), value.bytes() - done));
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

    private void verify(ReplayValue value, MemorySegment expectedChunk, MemorySegment gotChunk) {
        SeededBytes bytes = new SeededBytes(seed, value.source().value());
        boolean typed = isTyped(value, gotChunk);
        long offset = offset(value.id());
        for (long done = 0; done < value.bytes(); done += gotChunk.byteSize()) {
            long length = Math.min(gotChunk.byteSize(), value.bytes() - done);
            MemorySegment got = gotChunk.asSlice(0, length);
            MemorySegment expected = expectedChunk.asSlice(0, length);
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

    private boolean isTyped(ReplayValue value, MemorySegment chunk) {
        DType type = arena.plan().value(value.id()).map(PlanValue::dtype).orElse(DType.F32);
        return type == DType.F32 && value.bytes() % Float.BYTES == 0 && value.bytes() <= chunk.byteSize();
    }

    private long offset(NodeId id) {
        return arena.byteOffset(id).orElseThrow(() -> new IllegalStateException(id + ": the plan has no slot for it"));
    }

    private void advance(long bytes) {
        doneBytes += bytes;
        progress.show("writing, reading, verifying", doneBytes, workBytes);
    }
}
