package io.devicearena.conformance.sequence;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.oracle.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** What exists while one sequence runs: arenas and the arrays beside them, memory of the caller, batches, transfers. */
final class World implements AutoCloseable {
    /** Longer memory is used again by the next call, if no transfer has it. */
    private static final int LONG = 1 << 18;

    private static final int MARGIN = 8;
    private static final int KEYS = 1 << 20;

    /** Memory that regions of a batch share. */
    private static final int BLOCK = 1 << 16;

    /** So many values are compared at the end. */
    private static final int VALUES = 32;

    final ArenaLimits limits;
    final Journal journal;
    final List<Held> arenas = new ArrayList<>();
    final List<Host> hosts = new ArrayList<>();
    final List<Batched> batches = new ArrayList<>();
    final List<Batched.Flight> flights = new ArrayList<>();
    final BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener;
    private final Recycled recycled;
    final Arena memory = Arena.ofShared();
    private @Nullable MemorySegment block;
    private long blockUsed;

    /** How many bytes calls have moved so far. */
    long moved;

    /** Long memory that worlds take one after the other. */
    static final class Recycled implements AutoCloseable {
        private final Map<CallerMemory.Kind, MemorySegment> known = new EnumMap<>(CallerMemory.Kind.class);
        private final IdentityHashMap<MemorySegment, MemorySegment> wholes = new IdentityHashMap<>();
        private final Arena memory = Arena.ofShared();

        @Override
        public void close() {
            memory.close();
        }
    }

    World(
            BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener,
            ArenaLimits limits,
            Journal journal,
            Recycled recycled) {
        this.opener = opener;
        this.limits = limits;
        this.journal = journal;
        this.recycled = recycled;
    }

    /** The arena with the next key. */
    Optional<Held> arena(int key) {
        return next(arenas, held -> held.key, key);
    }

    /** Of several things the one with the next key. */
    static <T> Optional<T> next(List<T> all, ToIntFunction<T> keys, int key) {
        return all.stream().min(Comparator.comparingInt(one -> Math.floorMod(keys.applyAsInt(one) - key, KEYS)));
    }

    // ---- memory of the caller

    Taken take(CallerMemory wanted, long bytes) {
        moved += bytes;
        CallerMemory.Kind kind = wanted.kind();
        if (kind == CallerMemory.Kind.PACKED) {
            return packed(wanted, bytes);
        }
        Host host = kind != CallerMemory.Kind.HOST
                ? null
                : hosts.stream()
                        .filter(one -> one.users == 0 && one.segment.byteSize() >= bytes)
                        .findFirst()
                        .orElse(null);
        if (host != null) {
            host.users++;
        }
        MemorySegment whole = host == null ? allocate(kind, bytes + 4 * MARGIN) : host.segment;
        long from =
                host == null ? MARGIN + wanted.shift() % MARGIN : Math.min(wanted.shift(), whole.byteSize() - bytes);
        MemorySegment part = slice(whole, from, bytes);
        MemorySegment passed = wanted.isReadOnly() ? part.asReadOnly() : part;
        journal.name(passed, "%s" + (wanted.isReadOnly() ? ".asReadOnly()" : ""), part);
        return new Taken(kind, whole, part, passed, host);
    }

    /** An array of so many bytes of floats, without memory beside it. */
    Taken floats(long bytes) {
        moved += bytes;
        CallerMemory.Kind kind = CallerMemory.Kind.FLOATS;
        MemorySegment whole = declared(kind, kind.make(bytes, memory));
        return new Taken(kind, whole, whole, whole, null);
    }

    /** The next part of one block, before or behind the part of the region before. */
    private Taken packed(CallerMemory wanted, long bytes) {
        if (block == null || blockUsed + bytes > block.byteSize()) {
            block = allocate(CallerMemory.Kind.PACKED, Math.max(bytes, BLOCK));
            blockUsed = 0;
        }
        blockUsed += bytes;
        long from = wanted.shift() % 2 == 1 ? block.byteSize() - blockUsed : blockUsed - bytes;
        MemorySegment part = slice(block, from, bytes);
        return new Taken(wanted.kind(), part, part, part, null);
    }

    /** The next batch has a block of its own. */
    void endBlock() {
        block = null;
    }

    /** Ends the use of long memory. */
    void release(Taken taken) {
        MemorySegment whole = recycled.wholes.remove(taken.whole());
        if (whole != null) {
            recycled.known.put(taken.kind(), whole);
        }
    }

    private MemorySegment allocate(CallerMemory.Kind kind, long bytes) {
        boolean isLong = bytes > LONG;
        MemorySegment known = isLong ? recycled.known.remove(kind) : null;
        if (known == null || known.byteSize() < bytes) {
            known = kind.make(bytes, isLong ? recycled.memory : memory);
        }
        MemorySegment found = known.asSlice(0, bytes);
        if (isLong) {
            recycled.wholes.put(found, known);
        }
        return declared(kind, found);
    }

    private MemorySegment declared(CallerMemory.Kind kind, MemorySegment made) {
        String name = journal.next("memory");
        journal.add("MemorySegment %s = %s;", name, kind.java(made.byteSize()));
        journal.name(made, name);
        return made;
    }

    /** A part of memory, with its Java. */
    MemorySegment slice(MemorySegment whole, long from, long length) {
        MemorySegment part = whole.asSlice(from, length);
        journal.name(part, "%s.asSlice(%s, %s)", whole, from, length);
        return part;
    }

    /** An array of bytes for what is only compared. */
    MemorySegment array(long bytes) {
        return declared(CallerMemory.Kind.BYTES, CallerMemory.Kind.BYTES.make(bytes, memory));
    }

    // ---- transfers

    /** Waits for a transfer, and for those of its batch that were begun before: they have one destination. */
    void await(Batched.Flight wanted, int how) {
        for (Batched.Flight flight : List.copyOf(flights)) {
            if (flight.batch().isOf(wanted.batch()) && flights.contains(wanted)) {
                flights.remove(flight);
                flight.end(this, how);
            }
        }
    }

    /** Waits for all transfers that were begun after so many others. */
    void awaitAllBut(int first) {
        while (flights.size() > first) {
            await(flights.getLast(), 0);
        }
    }

    /** The transfers of a batch. */
    List<Batched.Flight> flightsOf(Batched batch) {
        return flights.stream().filter(flight -> flight.batch().isOf(batch)).toList();
    }

    // ---- comparisons; a difference is a failure, and a check in Java

    /** Compares a number; {@code %s} in its Java is what the last call returned. */
    void same(String what, String java, long expected, long actual) {
        if (expected != actual) {
            throw failed(what + ": expected " + expected + ", got " + actual, "(" + java + ") != " + expected + "L");
        }
    }

    void isTrue(String what, String java, boolean actual) {
        same(what, java + " ? 1 : 0", 1, actual ? 1 : 0);
    }

    /** Compares bytes of an arena that were read from an offset on. */
    void model(String what, Model model, long offset, MemorySegment actual) {
        bytes(what, offset, actual, model.read(offset, actual.byteSize()));
    }

    void bytes(String what, long offset, MemorySegment actual, MemorySegment expected) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            boolean isShort = at == expected.byteSize() || at == actual.byteSize();
            String condition = isShort
                    ? ".byteSize() != " + expected.byteSize()
                    : ".get(ValueLayout.JAVA_BYTE, " + at + "L) != (byte) " + expected.get(ValueLayout.JAVA_BYTE, at);
            throw failed(
                    Check.difference(what, offset, at, expected.asSlice(at), actual), journal.of(actual) + condition);
        }
    }

    /** What a comparison throws; in Java, its condition. */
    AssertionFailedError failed(String message, String condition) {
        journal.fail(condition, message);
        return new AssertionFailedError(message);
    }

    void check(Host host) {
        if (host.users == 0) {
            bytes("host memory", 0, host.segment, host.expected);
        }
    }

    /** Waits for all that is in flight, and compares every byte of every arena. */
    void finish() {
        awaitAllBut(0);
        hosts.forEach(this::check);
        Set<Model> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Held held : arenas) {
            for (int value = 0; value < Math.min(VALUES, held.layout.count()); value++) {
                same("lengthBytes", "%s", held.length(value), held.arena.lengthBytes(Layout.id(value)));
            }
            boolean isNew = seen.add(held.model);
            for (long at = 0; isNew && at < held.size; at += Model.PIECE) {
                if (held.model.isCompared(at)) {
                    MemorySegment bytes = array(Math.min(Model.PIECE, held.size - at));
                    moved += bytes.byteSize();
                    held.arena.readBytes(at, bytes);
                    model("bytes at the end", held.model, at, bytes);
                }
            }
        }
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (Held held : arenas.reversed()) {
            try {
                held.arena.close();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        memory.close();
        if (failure != null) {
            throw failure;
        }
    }
}
