package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.HeldProvider;
import io.devicearena.conformance.calls.Polls;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.opentest4j.AssertionFailedError;

/**
 * One thread closes an arena while others call it, and opens another arena that takes its memory. All calls write the
 * bytes that the arena has already, so each read has one right answer.
 */
final class CloseRace {
    /** Every byte of the arena, as {@link ArenaCall} fills it. */
    private static final byte BYTE = 0x3E;

    private static final byte OTHERS = 0x77;

    /** Calls that each thread makes before the close. */
    private static final int BEFORE = 2;

    /** A caller that has made so many calls is none that can be held. */
    private static final int MOST = 60;

    /** The number of calls of a caller that has ended. */
    private static final int ENDED = Integer.MAX_VALUE;

    private final ConformanceTopic topic;
    private final int size;
    private final MemoryPlan plan;
    private final MemorySegment filled;
    private final List<ArenaCall> calls = new ArrayList<>();
    private final DeviceArena[] open = new DeviceArena[1];

    /** How many calls each thread has made. */
    private AtomicIntegerArray made = new AtomicIntegerArray(0);

    private volatile boolean closed;

    CloseRace(ConformanceTopic topic, long most) {
        this.topic = topic;
        this.size = Math.toIntExact(Math.min(most, topic.device().limits().maxArenaBytes() / 4) / 8 * 8);
        this.plan = ExamplePlan.node1(size);
        this.filled = MemorySegment.ofArray(new byte[size]).fill(BYTE);
        calls.addAll(ArenaCall.of(ArenaCall.Use.DESTINATION));
        calls.addAll(ArenaCall.of(ArenaCall.Use.SOURCE));
        calls.addAll(ArenaCall.of(ArenaCall.Takes.RANGE).stream()
                .filter(call -> call.memory() == ArenaCall.Use.NONE)
                .toList());
        calls.add(ArenaCall.other("flush", DeviceArena::flush));
        calls.add(ArenaCall.other(
                "allocateHost", arena -> arena.allocateHost(Long.BYTES).close()));
        calls.add(ArenaCall.other("readBytes into host memory", this::moveByHost));
        calls.add(ArenaCall.other("view", this::readByView));
        calls.add(ArenaCall.other("refresh of a mirror", CloseRace::refreshMirror));
    }

    int count() {
        return calls.size();
    }

    /** Lets the close meet each of some callers, by holding them open, where the kit can stand behind the arena. */
    void once(int first, int callers, boolean interrupted) {
        HeldProvider held = new HeldProvider(topic.subject().provider());
        boolean holds = held.isBehindTheArena();
        String met = "a close that met " + calls.get(first).name();
        List<Race.Racer> racers = racers(first, callers, round -> {
            if (holds) {
                held.holdUntilClosed(open[0]);
                until(() -> held.held() + count(caller -> made.get(caller) >= MOST) >= callers);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            open[0].close();
            Check.same("interrupt flag after " + met, interrupted, Thread.interrupted());
            checkNext(first);
        });
        begin(held.openArena(topic.device(), plan, ArenaOptions.defaults()), callers);
        new Race(1).run(racers);
        if (holds) {
            Check.same("frees after " + met, 1, held.frees());
        }
    }

    /** Runs some rounds in which the close comes when it does. */
    void rounds(int first, int callers, int rounds, int mostSpins) {
        List<Race.Racer> racers = racers(first, callers, round -> {
            for (int i = (round * count() + first) * 7919 % mostSpins; i > 0; i--) {
                Thread.onSpinWait(); // until a part of the next call
            }
            open[0].close();
            checkNext(first);
        });
        Race.of(rounds).before(round -> begin(topic.open(plan), callers)).run(topic, racers);
    }

    /** The closer, which comes when each caller has begun to repeat its call, and callers of calls over the list. */
    private List<Race.Racer> racers(int first, int callers, Race.Racer closer) {
        List<Race.Racer> racers = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            ArenaCall call = calls.get((first + caller * (count() / callers)) % count());
            racers.add(round -> untilClosed(call, caller));
        }
        racers.add(round -> {
            try {
                awaitCallers();
                closer.run(round);
            } finally {
                closed = true;
            }
        });
        return racers;
    }

    private void begin(DeviceArena arena, int callers) {
        open[0] = arena;
        arena.writeBytes(0, filled);
        made = new AtomicIntegerArray(callers);
        closed = false;
    }

    /** Looks at what may have the memory of the arena, when no caller calls that any more. */
    private void checkNext(int first) {
        Check.same("isOpen of the arena that was closed", false, open[0].isOpen());
        try (DeviceArena next = topic.open(plan)) {
            next.fillBytes(0, size, OTHERS);
            closed = true; // ends callers whose calls still work
            Polls.until(() -> count(caller -> made.get(caller) < ENDED) == 0);
            Check.holds("the arena opened during " + calls.get(first).name(), next, 0, TestData.filled(size, OTHERS));
        }
    }

    /** Makes a call over and over until the arena is closed, or its closer has failed. */
    private void untilClosed(ArenaCall call, int caller) {
        DeviceArena arena = open[0];
        try {
            while (!closed) {
                make(call, arena, made.get(caller));
                if (made.incrementAndGet(caller) == BEFORE) {
                    // one caller alone could fill a device's queue, and the memory, with fills and copies
                    awaitCallers();
                }
            }
        } catch (IllegalStateException e) {
            Check.isTrue(call.name() + " of an open arena: it threw " + e, !arena.isOpen());
            // HotSpot interrupts a thread whose access ends since another one closes a shared java.lang.foreign.Arena
            Thread.interrupted();
        } catch (RuntimeException e) {
            throw new AssertionFailedError(
                    call.name() + " during a close: expected it to work or IllegalStateException, got " + e, e);
        } finally {
            made.set(caller, ENDED); // releases the closer
        }
    }

    private void make(ArenaCall call, DeviceArena arena, int turn) {
        switch (call.memory()) {
            case NONE -> call.on(arena, new ArenaCall.With(NODE_1, DType.F32, size / 2, size / 2, MemorySegment.NULL));
            case SOURCE -> call.on(arena, ArenaCall.With.memory(filled));
            case DESTINATION -> {
                try (Arena memory = Arena.ofConfined()) { // in which a deferred read has no place
                    boolean array = turn % 2 == 0 || call.name().startsWith("begin");
                    MemorySegment read = array ? MemorySegment.ofArray(new byte[size]) : memory.allocate(size, 4);
                    call.on(arena, ArenaCall.With.memory(read));
                    check(call.name(), read);
                }
            }
        }
    }

    private void check(String what, MemorySegment read) {
        long at = filled.mismatch(read);
        if (at >= 0) {
            throw new AssertionFailedError(what + " during a close: expected " + size
                    + " bytes of the arena, got others from byte " + at + " on");
        }
    }

    private void awaitCallers() {
        until(() -> count(caller -> made.get(caller) < BEFORE) == 0);
    }

    private int count(IntPredicate which) {
        return Math.toIntExact(IntStream.range(0, made.length()).filter(which).count());
    }

    @SuppressWarnings("ThreadPriorityCheck") // the callers need the cores, and there may be two
    private void until(BooleanSupplier done) {
        while (!done.getAsBoolean() && !closed) {
            Thread.yield();
        }
    }

    /** The close of the arena frees the memory, when no call of the arena uses it. */
    private void moveByHost(DeviceArena arena) {
        HostMemory host = arena.allocateHost(size);
        for (int i = 0; i < 4; i++) {
            arena.readBytes(0, host.segment());
            check("readBytes into host memory", host.segment());
            arena.writeBytes(0, host.segment());
        }
        host.close();
    }

    /** Views have the memory until they are closed. */
    private void readByView(DeviceArena arena) {
        try (DeviceArena view = arena.view(plan);
                DeviceArena more = view.view(plan)) {
            MemorySegment read = MemorySegment.ofArray(new byte[size]);
            more.readBytes(0, read);
            check("readBytes of a view", read);
        }
    }

    private static void refreshMirror(DeviceArena arena) {
        arena.unwrap(F16Shadow.class).filter(shadow -> shadow.fits(NODE_1)).ifPresent(shadow -> {
            shadow.refresh(NODE_1);
            shadow.readBytes(0, MemorySegment.ofArray(new byte[Long.BYTES]));
        });
    }
}
