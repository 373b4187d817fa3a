package io.devicearena.conformance.sequence;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.F16Shadow;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.Casts;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A region of one arena with memory of the caller.
 *
 * @param held the arena
 * @param region as the arena can name it
 * @param offset where it begins
 * @param count bytes, or elements
 * @param unit bytes of an element
 * @param memory the caller's
 */
record Piece(Held held, Region region, long offset, long count, int unit, Taken memory) {
    /** The part of an arena that a region is which it can name. */
    static Piece of(World world, Held held, Region region, Way way, boolean isWrite) {
        CallerMemory wanted = isWrite ? region.memory() : region.memory().writable();
        boolean isFloats = region.type() == Region.Type.FLOATS;
        boolean isTyped = region.type().isTyped();
        Layout.Value value = region.type() == Region.Type.BYTES
                ? new Layout.Value(0, held.size, null)
                : held.layout.value(region.value());
        int unit = isTyped ? region.dtype().bytes() : 1;
        long offset = switch (region.type()) {
            case BYTES -> held.offset(region.place());
            case PART -> value.offset() + Math.clamp(region.place().delta(), 0, value.slot());
            default -> value.offset();
        };
        long room = isTyped ? value.bytes() : value.end() - offset;
        boolean isCut = !isTyped || (isWrite && !isFloats); // else the arena cuts it
        long count = Math.min(region.length(), isCut ? room : Long.MAX_VALUE) / unit;
        Taken taken = isFloats && way == Way.ARRAY
                ? world.floats(count * Float.BYTES)
                : world.take(wanted, count * (isFloats ? Float.BYTES : unit));
        return new Piece(held, region, offset, count, unit, taken);
    }

    private boolean isFloats() {
        return region.type() == Region.Type.FLOATS;
    }

    NodeId id() {
        return Layout.id(region.value());
    }

    private String name() {
        return "value " + (region.value() + 1);
    }

    /** How many elements or bytes a write moves. */
    long written() {
        return isFloats() ? Math.min(count, held.layout.value(region.value()).bytes() / unit) : count;
    }

    /** How many elements or bytes a read moves. */
    long readable() {
        return region.type().isTyped() ? Math.min(count, held.length(region.value()) / unit) : count;
    }

    void addTo(Batch.Builder batch) {
        switch (region.type()) {
            case BYTES, PART -> batch.bytes(offset, memory.passed());
            case ELEMENTS -> batch.elements(id(), region.dtype(), memory.passed());
            case FLOATS -> batch.floats(id(), region.dtype(), memory.passed());
        }
    }

    /** Fills a source, or marks a destination. */
    void prepare(World world, boolean isWrite) {
        if (isWrite) {
            fill(world, region.content());
        } else {
            memory.mark();
            world.journal.add("%s.fill(%s);", memory.part(), Taken.UNTOUCHED);
        }
    }

    void fill(World world, Content wanted) {
        MemorySegment same = MemorySegment.NULL;
        if (wanted.kind() == Content.Kind.SAME) {
            same = decoded(held.model.read(offset, written() * unit));
        }
        wanted.fill(memory.part(), same, world.journal);
    }

    private MemorySegment decoded(MemorySegment bytes) {
        return isFloats() ? Casts.decoded(region.dtype(), bytes) : bytes;
    }

    /** What a read delivers now. */
    MemorySegment expected() {
        return decoded(held.model.read(offset, readable() * unit));
    }

    /** The arena holds from now on what the source holds. */
    void expectWritten() {
        MemorySegment source = memory.part();
        long written = written();
        held.model.write(
                offset,
                isFloats() ? Casts.encoded(region.dtype(), source, written) : source.asSlice(0, written * unit));
    }

    /** Where an arena has f16 mirrors, a write of F32 has made that of its value. */
    void checkMirror(World world) {
        Optional<F16Shadow> shadow =
                isFloats() && region.dtype() == DType.F32 ? held.arena.unwrap(F16Shadow.class) : Optional.empty();
        if (shadow.isPresent() && shadow.get().fits(id())) {
            MemorySegment expected = Casts.encoded(DType.F16, memory.part(), written());
            MemorySegment actual = world.array(expected.byteSize());
            shadow.get().readBytes(shadow.get().byteOffset(id()).orElseThrow(), actual);
            world.bytes("mirror of " + name(), 0, actual, expected);
        }
    }

    /** Compares a destination with what it must hold, and the bytes beside it. */
    void verify(World world, MemorySegment expected) {
        MemorySegment actual = memory.part().asSlice(0, expected.byteSize());
        world.journal.name(actual, "%s", memory.part());
        String what = isFloats()
                ? "floats of " + name() + " as " + region.dtype()
                : "bytes read from offset " + offset + " on";
        world.bytes(what, isFloats() ? 0 : offset, actual, expected);
        Host host = memory.host();
        if (host != null) {
            host.keep(actual);
            world.bytes("host memory beside a destination", 0, host.segment, host.expected);
        }
        long changed = memory.changedBeside(actual.byteSize());
        if (changed >= 0) {
            long begin = memory.begin();
            boolean isRest = changed >= begin && changed < begin + memory.part().byteSize();
            // in Java the bytes beside a part are zeros
            throw world.failed(
                    what + ", " + (isRest ? "the rest" : "bytes beside the destination")
                            + ": expected them as they were, got another at " + (changed - begin),
                    world.journal.of(memory.whole()) + ".get(ValueLayout.JAVA_BYTE, " + changed + "L) != "
                            + (isRest ? Taken.UNTOUCHED : 0));
        }
    }

    /** Ends the use of the memory; a source is changed. */
    void end(World world, boolean isSource) {
        if (isSource) {
            memory.change();
            world.journal.add("%s.fill(%s);", memory.part(), Taken.CHANGED);
        }
        if (memory.host() != null) {
            memory.host().users--;
        }
        world.release(memory);
    }
}
