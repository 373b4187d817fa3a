package io.devicearena.conformance.sequence;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Any sequence of calls on arenas behaves like the same calls on arrays of bytes.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param opener opens arenas of the tested device
 * @param device the device
 * @param seed of the random sequences
 * @param percent of the usual sequences
 * @param caller makes each call, and returns when the call has
 */
public record SequenceProperty(
        BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener,
        ArenaDevice device,
        long seed,
        int percent,
        Executor caller) {
    /** A property of the tests of the kit: a sequence that fails is not shown. */
    private static final String AS_IT_IS = "devicearena.unshrunk";

    private static final int SEQUENCES = 48;
    private static final int CALLS = 80;

    /** Every so many sequences one has many handles and arenas. */
    private static final int CROWD = 12;

    private static final int CROWDED_CALLS = 500;

    /** Random sequences, every way in against every way out, and small ranges. */
    public void anySequence() {
        randomSequences(Math.max(CROWD, SEQUENCES * percent / 100));
        run(Sequences.ofWays(device, percent));
    }

    /**
     * Random sequences alone.
     *
     * @param count how many
     */
    public void randomSequences(int count) {
        try (World.Recycled recycled = new World.Recycled()) {
            for (int i = 0; i < count; i++) {
                boolean isCrowd = i % CROWD == CROWD - 1;
                int calls = isCrowd ? CROWDED_CALLS : CALLS;
                run(seed + i, new RandomSequences(device.limits(), seed + i).next(calls, isCrowd), recycled);
            }
        }
    }

    /** Every length that is around a power of two, by every way in and out. */
    public void everyLength() {
        run(Sequences.ofLengths(device, percent));
    }

    /** Many arenas, views, handles, batches, regions, values and calls. */
    public void anyNumber() {
        run(Sequences.ofCounts(device, percent));
    }

    /**
     * Offsets past 2 and 4 GiB.
     *
     * @param bytes the size of the arena
     */
    public void farOffsets(long bytes) {
        run(Sequences.ofFarOffsets(device, bytes));
    }

    private void run(List<List<Call>> sequences) {
        try (World.Recycled recycled = new World.Recycled()) {
            sequences.forEach(calls -> run(seed, calls, recycled));
        }
    }

    private void run(long from, List<Call> calls, World.Recycled recycled) {
        Throwable failure = attempt(calls, new Journal(false), recycled).failure();
        if (failure == null) {
            return;
        }
        if (Boolean.getBoolean(AS_IT_IS)) {
            throw new AssertionFailedError(message(failure) + "; seed " + from, failure);
        }
        List<Call> shortest = Shrinker.shrink(calls, fewer -> attempt(fewer, new Journal(false), recycled));
        Journal journal = new Journal(true);
        Throwable last = attempt(shortest, journal, recycled).failure();
        throw new AssertionFailedError(
                message(last == null ? failure : last) + "; seed " + from + ", " + calls.size() + " calls, of which "
                        + shortest.size() + " fail alone:\n" + journal.text(),
                failure);
    }

    private static String message(Throwable shown) {
        return shown instanceof AssertionError ? String.valueOf(shown.getMessage()) : "threw " + shown;
    }

    /** Makes a sequence on new arenas. */
    private Shrinker.Outcome attempt(List<Call> calls, Journal journal, World.Recycled recycled) {
        World world = new World(opener, device.limits(), journal, recycled);
        try (world) {
            calls.forEach(call -> caller.execute(() -> call.in(world)));
            world.finish();
            return new Shrinker.Outcome(null, world.moved);
        } catch (VirtualMachineError | TestAbortedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            return new Shrinker.Outcome(e, world.moved);
        }
    }
}
