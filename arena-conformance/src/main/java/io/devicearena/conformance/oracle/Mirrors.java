package io.devicearena.conformance.oracle;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * An arena with its views, and what their mirrors must hold. Each call is made on the first of them and on the model;
 * then every mirror of each is compared, and whether it is stale.
 */
public final class Mirrors implements AutoCloseable {
    /** In {@link #plan}: bytes 0 to 31, eight elements. */
    public static final NodeId WHOLE = NODE_1;

    /** In {@link #plan}: bytes 16 to 31, the second half of {@link #WHOLE}. */
    public static final NodeId HALF = NodeId.of(2);

    /** In {@link #plan}: bytes 32 to 43, three elements and a gap after them. */
    public static final NodeId ODD = NodeId.of(3);

    /** In {@link #plan}: bytes 48 to 63, four elements, the last of the plan. */
    public static final NodeId LAST = NodeId.of(4);

    /** Where a mirror must be: the table of the specification. */
    public record Row(long offset, long size, long mirror, long end) {}

    public static final List<Row> TABLE =
            List.of(new Row(0, 16, 0, 8), new Row(16, 20, 8, 20), new Row(32, 12, 16, 24), new Row(64, 4, 32, 36));

    public final DeviceArena arena;
    public final F16Shadow shadow;
    private final List<DeviceArena> all;
    private final byte[] expected;

    /** Bytes of the arena that were written since their mirrors were made. */
    private final BitSet stale = new BitSet();

    /** Those of a new arena; they are closed with this. */
    public Mirrors(DeviceArena... all) {
        this.all = List.of(all);
        this.arena = all[0];
        try {
            this.shadow = of(arena);
            this.expected = new byte[Math.toIntExact(shadow.sizeBytes())];
            compare("the opening");
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Values beside each other, one inside another, one of odd length. */
    public static MemoryPlan plan() {
        return ExamplePlan.of(
                64, new BufferSlot(0, 32), new BufferSlot(16, 16), new BufferSlot(32, 12), new BufferSlot(48, 16));
    }

    /** The shadow of an arena. */
    public static F16Shadow of(DeviceArena arena) {
        return arena.unwrap(F16Shadow.class).orElseThrow();
    }

    /** Some bytes of a shadow. */
    public static byte[] bytes(F16Shadow shadow, long offset, int length) {
        byte[] bytes = new byte[length];
        shadow.readBytes(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private BufferSlot slot(NodeId id) {
        return arena.plan().slot(id).orElseThrow();
    }

    /** Writes floats as F32. */
    public void write(String what, NodeId id, MemorySegment floats) {
        arena.writeInputF32(id, DType.F32, floats);
        cast(id, floats);
        compare(what);
    }

    /** Writes bytes of the arena. */
    public void write(String what, long offset, MemorySegment bytes) {
        overwrite(what, offset, bytes.byteSize(), one -> one.writeBytes(offset, bytes));
    }

    /** Makes a call that writes bytes of the arena, and no mirror. */
    public void overwrite(String what, long offset, long length, Consumer<DeviceArena> call) {
        call.accept(arena);
        stale.set(Math.toIntExact(offset), Math.toIntExact(offset + length));
        compare(what);
    }

    /** Writes a mirror alone; more floats than the value has are left out. */
    public void writeMirror(NodeId id, MemorySegment floats) {
        byte[] before = Check.all(arena);
        long count = Math.min(floats.byteSize(), slot(id).size()) / Float.BYTES;
        Check.same("elements written to a mirror", count, shadow.write(id, floats));
        Check.holds("arena after a write to a mirror", arena, 0, before);
        cast(id, floats.asSlice(0, count * Float.BYTES));
        compare("a write to a mirror");
    }

    /** Makes the mirror of a value out of its bytes. */
    public void refresh(NodeId id) {
        shadow.refresh(id);
        BufferSlot slot = slot(id);
        cast(id, MemorySegment.ofArray(Check.bytes(arena, slot.offset(), Math.toIntExact(slot.size()))));
        compare("a refresh of " + id);
    }

    /** Behind an odd number of elements the zero of the beginning stays. */
    private void cast(NodeId id, MemorySegment floats) {
        int offset = Math.toIntExact(slot(id).offset());
        MemorySegment halves = Casts.encoded(DType.F16, floats, floats.byteSize() / Float.BYTES);
        MemorySegment.copy(halves, ValueLayout.JAVA_BYTE, 0, expected, offset / 2, Math.toIntExact(halves.byteSize()));
        stale.clear(offset, Math.toIntExact(offset + floats.byteSize()));
    }

    private void compare(String what) {
        for (DeviceArena one : all) {
            F16Shadow own = of(one);
            Check.same("shadow after " + what, 0, expected, bytes(own, 0, expected.length));
            one.plan().slots().forEach((id, slot) -> {
                int next = stale.nextSetBit(Math.toIntExact(slot.offset()));
                boolean isStale = own.fits(id) && next >= 0 && next < slot.end();
                Check.same("isStale of " + id + " after " + what, isStale, own.isStale(id));
            });
        }
    }

    @Override
    public void close() {
        all.forEach(DeviceArena::close);
    }
}
