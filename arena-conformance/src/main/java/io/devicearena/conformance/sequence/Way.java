package io.devicearena.conformance.sequence;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Which method moves the bytes of regions. */
enum Way {
    /** The method for memory of any kind: each region by a call of its own. */
    DIRECT,
    /** The method for arrays of floats. */
    ARRAY,
    /** A read of floats into a new array. */
    NEW_ARRAY,
    /** A write with progress. */
    PROGRESS,
    /** A write with progress that the caller ends at the first figure. */
    STOPPED,
    /** The arena's own bytes, where the device has them. */
    SHARED,
    /** {@code withBytes}. */
    MAPPED,
    /** A batch of all regions. */
    BATCH,
    /** A deferred batch of all regions. */
    DEFERRED;

    boolean isBatch() {
        return this == BATCH || this == DEFERRED;
    }

    /** Writes a range, a part or floats. */
    void write(World world, Piece piece) {
        DeviceArena arena = piece.held().arena;
        MemorySegment source = piece.memory().passed();
        switch (piece.region().type()) {
            case FLOATS -> {
                long count = this == ARRAY
                        ? arena.writeInputF32(piece.id(), piece.region().dtype(), array(world, piece))
                        : arena.writeInputF32(piece.id(), piece.region().dtype(), source);
                world.same("count of floats written", "%s", piece.written(), count);
            }
            case PART -> arena.writeValueBytes(piece.id(), first(piece), source);
            default -> {
                if (this == STOPPED && piece.count() > 0) {
                    stopped(world, piece);
                    return;
                }
                writeBytes(world, piece);
            }
        }
        if (!piece.region().content().isIn(piece.memory().part())) {
            throw world.failed("the source of a write: expected it as it was, got other bytes", "");
        }
        piece.expectWritten();
        piece.checkMirror(world);
    }

    private static long first(Piece piece) {
        return piece.offset()
                - piece.held().layout.value(piece.region().value()).offset();
    }

    private static float[] array(World world, Piece piece) {
        float[] array = (float[]) piece.memory().whole().heapBase().orElseThrow();
        world.journal.name(
                array, "(float[]) %s.heapBase().orElseThrow()", piece.memory().whole());
        return array;
    }

    private void writeBytes(World world, Piece piece) {
        DeviceArena arena = piece.held().arena;
        MemorySegment source = piece.memory().passed();
        Optional<MemorySegment> own = piece.held().own(this == SHARED);
        if (own.isPresent()) {
            MemorySegment target = world.slice(own.get(), piece.offset(), piece.count());
            world.journal.add("%s.copyFrom(%s);", target, source);
            target.copyFrom(source);
        } else if (this == PROGRESS || this == STOPPED) {
            String name = world.journal.next("last");
            long[] last = new long[1];
            arena.writeBytes(piece.offset(), source, progress(world, piece.count(), false, name, last));
            world.same("last progress of a write", name + "[0]", piece.count(), last[0]);
        } else {
            arena.writeBytes(piece.offset(), source);
        }
    }

    /** Ends a write: the bytes that were reported are written, of the others each may be. */
    private static void stopped(World world, Piece piece) {
        long[] last = new long[1];
        LongConsumer progress = progress(world, piece.count(), true, world.journal.next("last"), last);
        DeviceArena arena = piece.held().arena;
        world.journal.open("} catch (CancellationException e) {}", "try {");
        try {
            arena.writeBytes(piece.offset(), piece.memory().passed(), progress);
            throw world.failed("a write whose progress throws: expected the exception, got none", "true");
        } catch (CancellationException e) {
            world.journal.close();
        }
        MemorySegment now = world.array(piece.count());
        arena.readBytes(piece.offset(), now);
        world.bytes(
                "bytes reported by a write that was ended",
                piece.offset(),
                world.slice(now, 0, last[0]),
                piece.memory().part().asSlice(0, last[0]));
        piece.held().model.write(piece.offset(), now);
    }

    /** Takes the figures of a write, the last of which it keeps; it may end the write at the first one. */
    private static LongConsumer progress(World world, long all, boolean stops, String name, long[] last) {
        Thread caller = Thread.currentThread();
        LongConsumer progress = written -> {
            if (written <= last[0] || written > all || !Thread.currentThread().equals(caller)) {
                throw world.failed(
                        "progress of a write of " + all + " bytes: expected more than " + last[0]
                                + " on the calling thread, got " + written,
                        "");
            }
            last[0] = written;
            if (stops) {
                throw new CancellationException("the caller has seen enough");
            }
        };
        world.journal.add("long[] %s = new long[1];", name);
        world.journal.name(
                progress, "done -> %s", stops ? "{ throw new CancellationException(); }" : name + "[0] = done");
        return progress;
    }

    /** Reads a range, a part or floats into its destination, and compares. */
    void read(World world, Piece piece) {
        DeviceArena arena = piece.held().arena;
        MemorySegment destination = piece.memory().part();
        switch (piece.region().type()) {
            case FLOATS -> {
                DType dtype = piece.region().dtype();
                if (this == NEW_ARRAY) {
                    float[] array = arena.readOutputF32(piece.id(), dtype, piece.count());
                    world.same("count of floats read", "%s.length", piece.readable(), array.length);
                    world.journal.add("%s.copyFrom(MemorySegment.ofArray(%s));", destination, world.journal.result());
                    destination.copyFrom(MemorySegment.ofArray(array));
                } else {
                    long count = this == ARRAY
                            ? arena.readOutputF32(piece.id(), dtype, array(world, piece))
                            : arena.readOutputF32(piece.id(), dtype, destination);
                    world.same("count of floats read", "%s", piece.readable(), count);
                }
            }
            case PART -> arena.readValueBytes(piece.id(), first(piece), destination);
            default -> arena.readBytes(piece.offset(), destination);
        }
        piece.verify(world, piece.expected());
    }

    /** Whether a region is read without a destination. */
    boolean isLook(Region region) {
        return region.type() == Region.Type.BYTES && (this == SHARED || this == MAPPED);
    }

    /** Looks at a range. */
    void look(World world, Held held, Region region) {
        long offset = held.offset(region.place());
        long length = Math.min(region.length(), held.size - offset);
        world.moved += length;
        Optional<MemorySegment> own = held.own(this == SHARED);
        if (own.isPresent()) {
            world.model(
                    "bytes read from offset " + offset + " on",
                    held.model,
                    offset,
                    world.slice(own.get(), offset, length));
        } else {
            look(world, held, offset, length, () -> {});
        }
    }

    /** Opens a mapped view, and compares it before and after something. */
    static void look(World world, Held held, long offset, long length, Runnable within) {
        String name = world.journal.next("view");
        Function<MemorySegment, Integer> reader = view -> {
            world.journal.name(view, name);
            world.same("bytes of a mapped view", name + ".byteSize()", length, view.byteSize());
            world.isTrue("bytes of a mapped view, which is read-only", name + ".isReadOnly()", view.isReadOnly());
            world.model("bytes read from offset " + offset + " on, in a view", held.model, offset, view);
            within.run();
            world.model("bytes of a view after others", held.model, offset, view);
            return 0;
        };
        world.journal.name(reader, name);
        held.arena.withBytes(offset, length, reader);
    }
}
