package io.devicearena.conformance.sequence;

import io.devicearena.ArenaDevice;
import io.devicearena.DType;
import io.devicearena.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Sequences that reach by construction what chance rarely does: each way in and out, each length, large numbers. What a
 * call has beside them (memory, content, places) goes by turns, so that all of it occurs and no run differs.
 */
final class Sequences {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long LONGEST = 33 * MIB;

    /** The longest data that goes by every way. */
    private static final int POWERS = 20;

    private static final int FEW_POWERS = 16;

    /** Bytes of an arena behind its longest data. */
    private static final long BESIDE = 100;

    private static final int ARENAS = 100;
    private static final int HANDLES = 200;
    private static final int VIEWS = 130;
    private static final int NESTED = 140;
    private static final int VALUES = 100_000;
    private static final int MOST_REGIONS = 4096;
    private static final int MANY_REGIONS = 10_007;
    private static final int FEW_REGIONS = 200;
    private static final int SHORT = 1 << 16;
    private static final int MANY_CALLS = SHORT + 3; // a counter of two bytes begins again
    private static final int FEW_CALLS = 4099;
    private static final List<CallerMemory.Kind> LONG =
            List.of(CallerMemory.Kind.NATIVE, CallerMemory.Kind.BYTES, CallerMemory.Kind.HOST);
    private static final int SHORTEST = 64;
    private static final int FEWER = 5;

    /** A quick check takes each third power of two. */
    private static final int FEWER_POWERS = 3;

    /** Short ranges begin and end before. */
    private static final int EDGE = 18;

    private static final int STRIDE = 37;
    private static final int CONTENTS = 4091;

    private final ArenaDevice device;
    private final long longest;
    private final List<List<Call>> all = new ArrayList<>();
    private List<Call> calls = new ArrayList<>();
    private int turn;

    private Sequences(ArenaDevice device, long longest) {
        this.device = device;
        this.longest = Math.min(longest, device.limits().maxArenaBytes() - 2 * BESIDE);
    }

    /**
     * Every way, every kind of memory, the ends of small arenas, of values and of segments, short ranges, and what is
     * used twice: first what finds most in the least time. With less than the usual effort, one of some of each kind.
     */
    static List<List<Call>> ofWays(ArenaDevice device, int percent) {
        return new Sequences(device, LONGEST)
                .list(
                        percent < 100 ? FEWER : 1,
                        Sequences::again,
                        Sequences::shared,
                        Sequences::slots,
                        Sequences::segments,
                        Sequences::ends,
                        Sequences::memories,
                        Sequences::ranges,
                        Sequences::ways,
                        Sequences::blocks);
    }

    /** Every length around powers of two, what is quick first; with less than the usual effort, of short data. */
    static List<List<Call>> ofLengths(ArenaDevice device, int percent) {
        return new Sequences(device, percent < 100 ? MIB : LONGEST)
                .list(
                        1,
                        Sequences::moves,
                        Sequences::farMoves,
                        Sequences::longData,
                        Sequences::hostSizes,
                        Sequences::sizes,
                        Sequences::mirrors,
                        all -> all.lengths(percent < 100 ? FEW_POWERS : POWERS));
    }

    /** Many of everything; with less than the usual effort calls are repeated less, and batches have fewer sizes. */
    static List<List<Call>> ofCounts(ArenaDevice device, int percent) {
        int repetitions = percent < 100 ? FEW_CALLS : MANY_CALLS;
        return new Sequences(device, LONGEST)
                .list(
                        1,
                        Sequences::arenas,
                        Sequences::views,
                        Sequences::reads,
                        Sequences::writes,
                        Sequences::batches,
                        Sequences::nested,
                        all -> all.regions(percent < 100 ? FEWER_POWERS : 1),
                        Sequences::values,
                        all -> all.repeated(repetitions));
    }

    /** Offsets past 2 and 4 GiB, in an arena of so many bytes. */
    static List<List<Call>> ofFarOffsets(ArenaDevice device, long bytes) {
        return new Sequences(device, LONGEST).list(1, all -> all.far(bytes));
    }

    /** One of so many of each kind. */
    @SafeVarargs
    private List<List<Call>> list(int step, Consumer<Sequences>... kinds) {
        List<List<Call>> chosen = new ArrayList<>();
        for (Consumer<Sequences> kind : kinds) {
            turn = 0; // each kind is the same, whatever is before it
            all.clear();
            kind.accept(this);
            for (int i = 0; i < all.size(); i += step) {
                chosen.add(all.get(i));
            }
        }
        return chosen;
    }

    // ---- calls

    private void begin(Layout layout, long scratch) {
        calls = new ArrayList<>(List.of(new Call.OpenArena(0, layout, scratch)));
        all.add(calls);
    }

    /** An arena with values at even and odd bytes. */
    private void begin(long bytes) {
        long odd = (bytes * 2 / 3) | 1;
        begin(Layout.of(bytes, 0, bytes, 1, bytes, 6, bytes, odd, odd + bytes / 4), 0);
    }

    private static Layout oneValue(long bytes) {
        return Layout.of(bytes, 0, bytes);
    }

    private void write(int arena, Way way, Region... regions) {
        calls.add(new Call.Move(calls.size(), true, arena, way, List.of(regions)));
    }

    private void read(int arena, Way way, Region... regions) {
        calls.add(new Call.Move(calls.size(), false, arena, way, List.of(regions)));
    }

    private void move(int arena, Form form, Region... regions) {
        calls.add(new Call.Move(calls.size(), form.isWrite(), arena, form.way(), List.of(regions)));
    }

    /** With the memory and the content of its turn. */
    private void move(Form form, int value, Place place, long length) {
        move(0, form, region(form, value, place, length));
    }

    private void write(Way way, long offset, long length) {
        write(0, way, Region.bytes(Place.at(offset), length, turn));
    }

    private void read(Way way, long offset, long length) {
        read(0, way, Region.bytes(Place.at(offset), length, 0));
    }

    private void fill(Place place, long length, int value) {
        calls.add(new Call.Fill(0, place, length, (byte) value));
    }

    private void copy(long from, long to, long length) {
        calls.add(new Call.Copy(0, Place.at(from), Place.at(to), length, 0));
    }

    private void setLength(int arena, int value, long bytes) {
        calls.add(new Call.SetLength(arena, value, bytes));
    }

    private void allocateHost(long bytes) {
        calls.add(new Call.AllocateHost(calls.size(), 0, bytes));
    }

    /** Waits for the oldest transfer, or for one that was begun by the last call, by turns. */
    private void await() {
        calls.add(new Call.Await(turn % 2 == 0 ? 0 : calls.size() - 1, turn));
    }

    private void awaitBoth() {
        await();
        await();
    }

    private Region region(Form form, int value, Place place, long length) {
        CallerMemory.Kind[] kinds = CallerMemory.Kind.values();
        CallerMemory.Kind kind = length > 100_000 ? LONG.get(turn % LONG.size()) : kinds[turn % kinds.length];
        if (kind == CallerMemory.Kind.FILE && turn % 3 > 0) {
            kind = CallerMemory.Kind.HOST;
        }
        return region(form, value, place, length, new CallerMemory(kind, turn / 2 % 8, turn % 4 == 1));
    }

    private Region region(Form form, int value, Place place, long length, CallerMemory memory) {
        // of random bits most are too large or too small for F16: neighbours would look alike
        boolean isFloats = form.type() == Region.Type.FLOATS && (turn % 5 > 0 || form.dtype() != DType.F32);
        Content.Kind kind = isFloats ? Content.Kind.FLOATS : Content.Kind.BYTES;
        Content content = new Content(kind, turn * STRIDE % CONTENTS);
        return new Region(form.type(), value, form.dtype(), place, length, memory, content);
    }

    /** A write and a read of its range, with one kind of memory. */
    private void pair(Form in, Form out, int value, Place place, long length) {
        turn++;
        Place start = in.isTyped() || out.isTyped() ? Place.at(0) : place;
        boolean isPart = in.type() == Region.Type.PART;
        move(in, value, isPart ? place : start, length);
        move(out, value, start, length + (out.isTyped() ? 0 : 8));
        awaitBoth();
    }

    // ---- ways

    /** Each way in between two reads by each way out; and behind a fill or a copy of its range, with the same bytes. */
    private void ways() {
        List<DType> elements = List.of(DType.I32, DType.U8);
        long[] lengths = {8, 300, 4100, 66_000};
        int first = 0;
        for (Form in : Form.all(true, elements)) {
            begin(70_001);
            calls.add(new Call.View(1, 0, oneValue(70_001)));
            allocateHost(70_000);
            List<Form> all = Form.all(false, elements);
            for (int i = first++ % 2; i < all.size(); i += 2) { // each way in with every other way out
                Form out = all.get(i);
                turn++;
                long length = lengths[turn / 2 % lengths.length];
                Place place = Place.at(in.isTyped() || out.isTyped() ? 0 : turn % 7);
                Region written = region(in, 0, place, length);
                turn++;
                Region seen = region(out, 0, place, length + (out.way().isBatch() ? 0 : 2));
                writeBetween(in, written, out, seen);
                await();
                if (turn % 8 == 0) {
                    calls.add(new Call.Copy(0, Place.at(length / 2 + 9), place, length, turn / 8 % 3));
                } else if (turn % 8 == 4) {
                    fill(place, length, turn / 8 % 3);
                } else {
                    continue;
                }
                writeBetween(in, written, out, seen);
                Content.Kind content = turn % 3 == 0 ? Content.Kind.ZEROS : Content.Kind.SAME;
                move(turn / 2 % 2, in, written.with(new Content(content, 0)));
                move(turn / 4 % 2, out, seen);
                await();
            }
        }
    }

    /** A write between two reads, of an arena and a view of it by turns. */
    private void writeBetween(Form in, Region written, Form out, Region seen) {
        move(turn / 4 % 2, out, seen);
        move(turn / 2 % 2, in, written);
        move(turn / 4 % 2, out, seen);
    }

    private void memories() {
        List<Form> in = Form.all(true, List.of(DType.U16));
        List<Form> out = Form.all(false, List.of(DType.I64));
        int room = 310_000;
        for (CallerMemory.Kind kind : CallerMemory.Kind.values()) {
            begin(room);
            allocateHost(room);
            allocateHost(room);
            for (int length : new int[] {8, 304, 3000, 5000, 30_000, 90_000, 300_000}) {
                for (int round = 0; round < 6; round++) {
                    turn++;
                    CallerMemory memory = new CallerMemory(kind, turn % 8, round % 2 == 1);
                    Form writing = round < 2 ? Form.range(true) : in.get(turn % in.size());
                    Form reading = round < 3 ? Form.range(false) : out.get(turn % out.size());
                    Place place = Place.at(writing.isTyped() || reading.isTyped() ? 0 : turn % 4);
                    move(0, writing, region(writing, 0, place, length, memory));
                    move(0, reading, region(reading, 0, place, length, memory));
                    awaitBoth();
                }
            }
        }
    }

    /** The last bytes of plans and scratches of every size up to a page. */
    private void ends() {
        Way[] ways = {Way.DIRECT, Way.PROGRESS, Way.BATCH, Way.DEFERRED, Way.SHARED};
        for (int scratch = 0; scratch <= 4 * KIB; scratch += 16) {
            turn++;
            long bytes = Math.max(0, (1L << (1 + turn / 5 % 12)) + turn % 5 - 2);
            long slot = Math.min(bytes, 1 + turn / 60 % 4);
            begin(Layout.of(bytes, bytes - slot, bytes), scratch);
            Form floats = Form.floats(true, DType.F16).get(turn % 4);
            for (int anchor = 0; anchor < 2; anchor++) { // the ends of the arena and of the plan
                int length = 1 + (turn + anchor) % 5;
                write(0, ways[turn % ways.length], Region.bytes(new Place(anchor, -length), length, turn));
                read(0, ways[turn / 5 % ways.length], Region.bytes(new Place(anchor, -3), 6, 0));
                fill(new Place(anchor, -4), 4, 0x87);
                read(0, Way.MAPPED, Region.bytes(new Place(anchor, -5), 5, 0));
                write(0, Way.DIRECT, Region.bytes(new Place(anchor, -2), 5, turn));
                calls.add(new Call.Copy(0, Place.at(0), new Place(anchor, -3), 3, turn % 3));
            }
            move(floats, 0, Place.at(0), slot);
            read(0, Way.DIRECT, Region.bytes(new Place(1, -5), 9, 0), region(floats, 0, Place.at(0), slot));
        }
    }

    /** Values that end where a segment does, values of several segments, and ranges across ends. */
    private void segments() {
        long segment = device.limits().maxSegmentBytes();
        if (segment > MIB || 4 * segment > device.limits().maxArenaBytes()) {
            return;
        }
        long half = segment / 2;
        long most = 3 * segment + 20;
        List<DType> elements = List.of(DType.I32, DType.U8);
        for (Form in : Form.all(true, elements)) {
            begin(Layout.of(3 * segment + 77, 0, half, half, segment, segment, most), 16);
            for (Form out : Form.all(false, elements)) {
                boolean isHalf = turn % 2 == 0;
                Place across = new Place(2 + turn % 2, -1L - turn % 9);
                long value = isHalf ? half : most - segment;
                long length = in.isTyped() || out.isTyped() ? value : 7L * turn % 700;
                pair(in, out, isHalf ? 1 : 2, across, length);
            }
        }
    }

    /** Every short range at every short offset. */
    private void ranges() {
        List<Form> in = Form.bytes(true);
        List<Form> out = Form.bytes(false);
        for (long bytes : new long[] {SHORTEST, SHORT}) {
            begin(oneValue(bytes), 0);
            for (int offset = 0; offset < EDGE; offset++) {
                for (int length = 0; length < EDGE; length++) {
                    Place place = Place.at(offset);
                    write(0, Way.DIRECT, Region.bytes(place, length, offset + length));
                    read(Way.DIRECT, 0, SHORTEST);
                    pair(in.get((offset + length) % in.size()), out.get(turn % out.size()), 0, place, length);
                }
            }
        }
    }

    /** Values beside, over and within each other: written past their ends, read up to their lengths and past them. */
    private void slots() {
        Layout layout = Layout.of(77, 0, 32, 32, 64, 64, 69, 69, 77, 0, 32, 16, 32, 40, 40);
        long[] counts = {1, 3, 8, 9, 1000};
        int[] lengths = {20, 6, 32, 0};
        for (Form in : Form.all(true, Form.ALL)) {
            begin(layout, 16);
            calls.add(new Call.OpenArena(1, layout, 16));
            List<Form> out = Form.all(false, List.of(in.dtype()));
            for (int value = 0; value < layout.count(); value++) {
                for (int i = 0; i < 2; i++) {
                    turn++;
                    long count = counts[turn % counts.length];
                    Form other = out.get(turn % out.size());
                    move(in, value, Place.at(turn % 9), count * in.dtype().bytes());
                    setLength(0, value, lengths[turn % lengths.length]);
                    move(other, value, Place.at(turn % 5), 41L * other.dtype().bytes());
                    awaitBoth();
                }
            }
            write(Way.STOPPED, 5, 50);
            write(0, Way.DEFERRED, Region.bytes(Place.at(3), 40, turn), Region.bytes(Place.at(1), 4, turn));
            read(Way.MAPPED, 0, 93);
            fill(Place.at(1), 91, turn);
            read(Way.DIRECT, 0, 93);
            read(1, Way.DIRECT, value(1, Region.Type.FLOATS, DType.F32, 32));
            calls.add(new Call.CloseArena(0));
            write(1, Way.DIRECT, value(0, Region.Type.FLOATS, DType.F32, 8));
        }
    }

    /** Floats of every number of elements up to some blocks of a cast. */
    private void blocks() {
        for (DType dtype : Form.FLOATS) {
            begin(Layout.of(300, 0, 272, 1, 273), 0);
            List<Form> out = Form.floats(false, dtype);
            for (int count = 0; count < 68; count++) {
                for (Form in : Form.floats(true, dtype)) {
                    pair(in, out.get(turn % out.size()), turn % 2, Place.at(0), (long) count * dtype.bytes());
                }
            }
        }
    }

    /** A batch that is read again after the length of its value was set. */
    private void again() {
        begin(oneValue(32), 0);
        read(0, Way.BATCH, value(0, Region.Type.FLOATS, DType.F32, 40));
        for (long length : new long[] {20, 6, 0, 32}) {
            setLength(0, 0, length);
            calls.add(new Call.Again(0, false, 0));
        }
    }

    /** What an arena or one of its views writes by any way, each of them reads. */
    private void shared() {
        begin(oneValue(77), 16);
        for (int i = 0; i < 3; i++) {
            calls.add(new Call.View(i + 1, i, oneValue(77 - i)));
        }
        for (Form in : Form.all(true, Form.ALL)) {
            turn++;
            move(turn % 4, in, region(in, 0, Place.at(0), 32));
            for (int i = 0; i < 4; i++) {
                read(i, turn % 3 == 0 ? Way.BATCH : Way.DIRECT, Region.bytes(Place.at(0), 32, 0));
            }
        }
    }

    // ---- lengths

    private void lengths(int powers) {
        for (int power = 0; power <= powers && 1L << power <= longest; power++) {
            long count = 1L << power;
            begin(Math.min(longest, 6 * count + 64) + BESIDE);
            allocateHost(Math.min(longest, 6 * count));
            for (DType dtype : Form.FLOATS) {
                List<Form> all = Form.floats(true, dtype);
                List<Form> out = Form.floats(false, dtype);
                int step = power < 8 ? 2 : 1; // short data is all over
                for (int i = power % step; i < out.size(); i += step) {
                    Form in = all.get((i + power) % all.size());
                    pair(in, out.get(i), 0, Place.at(0), count * dtype.bytes());
                    pair(in, out.get(i), 1, Place.at(0), (count + 1) * dtype.bytes());
                    if (i < all.size() && power < POWERS) {
                        pair(in, out.get(i), 2, Place.at(0), (count + count / 2) * dtype.bytes());
                    }
                }
            }
            List<Form> in = bytesAndElements(true, power);
            List<Form> out = bytesAndElements(false, power + 1);
            for (int i = 0; i < in.size(); i++) {
                for (int more = -1; more <= 1; more++) {
                    if ((power < 8 || power > POWERS - 3) && Math.floorMod(i + power, 3) != more + 1) {
                        continue; // one of the three
                    }
                    Form form = in.get(i);
                    long length = Math.max(0, count + (long) more * form.dtype().bytes());
                    Place place = turn % 2 == 0 || form.type() == Region.Type.PART
                            ? Place.at(turn % 9)
                            : new Place(0, -length);
                    pair(form, out.get((i + power + 5 * more + 5) % out.size()), 1 + more, place, length);
                }
            }
        }
    }

    private static List<Form> bytesAndElements(boolean isWrite, int turn) {
        List<Form> all = new ArrayList<>(Form.bytes(isWrite));
        all.addAll(Form.elements(isWrite, Form.ALL, turn));
        return all;
    }

    /** Every way once with the longest data. */
    private void longData() {
        begin(longest + BESIDE);
        List<Form> in = bytesAndElements(true, 0);
        List<Form> out = Form.elements(false, Form.ALL, 1);
        out.addAll(Form.bytes(false));
        for (int i = 0; i < in.size(); i++) {
            boolean isLongest = !in.get(i).isTyped() || in.get(i).dtype().bytes() == 2;
            pair(in.get(i), out.get(i), 0, Place.at(1 + i), isLongest ? longest - (i + 1) % 2 : longest / 6);
        }
        for (DType dtype : Form.FLOATS) {
            for (int i = 0; i < dtype.bytes() / 2; i++) {
                Form write = Form.floats(true, dtype).get((Form.FLOATS.indexOf(dtype) + 2 * i) % 4);
                Form read = Form.floats(false, dtype).get((Form.FLOATS.indexOf(dtype) + 3 * i) % 5);
                pair(write, read, i, Place.at(0), longest / Float.BYTES * dtype.bytes());
            }
        }
    }

    /** Fills, copies and reads behind each other. */
    private void moves() {
        begin(longest + BESIDE);
        for (long one : new long[] {SHORT - 1, SHORT, SHORT + 1, MIB - 1, MIB, MIB + 101, 3 * MIB + 7, longest}) {
            turn++;
            long length = Math.min(longest, one);
            Region around = Region.bytes(Place.at(0), length + BESIDE, turn);
            Way way = turn % 2 == 0 ? Way.DEFERRED : Way.BATCH;
            fill(Place.at(3), length, (0x85 + turn));
            read(0, way, around);
            write(Way.DIRECT, 0, Math.min(length, MIB));
            await();
            if (length <= MIB) {
                write(Way.DIRECT, 3, length);
                read(Way.DIRECT, 0, length + BESIDE);
            }
            copy(0, turn % 2 == 0 ? 4 : BESIDE, length);
            copy(BESIDE, 1, length - 1);
            read(0, Way.DEFERRED, around);
            await();
            if (length > MIB) {
                write(Way.STOPPED, turn % 5, length);
            }
        }
        write(Way.STOPPED, 3, 200_001);
        for (long small = 1; small <= 8 * KIB; small *= 2) { // of two writes the later wins, whatever their sizes
            for (int more = -1; more <= 1; more++) {
                turn++;
                write(Way.DIRECT, 100, small + more);
                write(Way.DIRECT, turn % 100, 2 * small + 1000);
                write(Way.DIRECT, 200, small + more);
                read(0, Way.DIRECT, Region.bytes(Place.at(0), 2 * small + 1200, turn));
            }
        }
    }

    /** Short calls at far offsets, behind each power of two. */
    private void farMoves() {
        begin(longest + BESIDE);
        for (long power = 4 * KIB; power + 3000 < longest; power *= 2) {
            turn++;
            fill(Place.at(power + 7), 2000, turn);
            write(Way.BATCH, power + 3, 500);
            calls.add(new Call.Copy(0, Place.at(power - 9), Place.at(power + 1001), 700, turn % 3));
            read(Way.MAPPED, power - 20, 2500);
            read(Way.DEFERRED, power + 1, 1500);
            await();
        }
        List<DType> elements = List.of(DType.I8);
        for (Form in : Form.all(true, elements)) {
            List<Form> out = Form.all(false, elements);
            pair(in, out.get(turn % out.size()), 3, Place.at(longest * 2 / 3), 900);
        }
    }

    /** Host memory that is new, and new again where some was before. */
    private void hostSizes() {
        begin(KIB);
        for (long power = 1; power <= Math.min(longest, 2 * MIB); power *= 2) {
            for (long bytes : new long[] {power - 1, power, power + 1, power + power / 2 + 1}) {
                allocateHost(bytes);
                calls.add(new Call.FreeHost(0));
            }
        }
        allocateHost(longest);
    }

    /** Floats of values whose mirrors fit, where the device has some. */
    private void mirrors() {
        long bytes = Math.min(longest, device.limits().maxBindingBytes()) / 16 * 16;
        begin(oneValue(bytes), 0);
        for (Form in : Form.floats(true, DType.F32)) {
            for (long count : new long[] {5, 301, 4096, 16_385, 24_576, 98_304, 200_001, bytes / 4 - 1}) {
                if (count < 4 * MIB || in.way() == Way.DIRECT) {
                    turn++;
                    move(in, 0, Place.at(0), Math.min(bytes, count * Float.BYTES));
                    await();
                }
            }
        }
    }

    /** Arenas that are opened, filled, closed and opened again. */
    private void sizes() {
        for (long power = KIB; power <= longest; power *= 2) {
            for (int more = power <= 2 * MIB ? -1 : 1; more <= 1; more++) {
                size(Math.min(power + more, longest), power <= 4 * MIB);
            }
        }
        size(longest, true);
    }

    private void size(long bytes, boolean isTwice) {
        begin(Layout.of(bytes), 0);
        if (isTwice) {
            fill(Place.at(0), bytes, 0xA5);
            calls.add(new Call.CloseArena(0));
            calls.add(new Call.OpenArena(0, Layout.of(bytes), 0));
        }
    }

    // ---- counts

    private void arenas() {
        begin(oneValue(1), 0);
        for (int i = 0; i < ARENAS; i++) {
            calls.add(new Call.OpenArena(i + 1, oneValue(i % 10 == 9 ? 103_000 : 32 + i), 0));
            write(i + 1, Way.DIRECT, Region.bytes(Place.at(0), 103_000, i));
            setLength(i + 1, 0, i % 32);
        }
        for (int i = 0; i < ARENAS / 4; i++) {
            calls.add(new Call.CloseArena(3 * i));
            calls.add(new Call.OpenArena(3 * i, oneValue(64 + i), 0));
            read(i, Way.DIRECT, Region.bytes(Place.at(0), 40, 0));
        }
    }

    private void views() {
        begin(oneValue(600), 40);
        for (int i = 0; i < VIEWS; i++) {
            calls.add(new Call.View(i + 1, i < VIEWS / 2 ? 0 : i / 2, oneValue(600 - i)));
            setLength(i + 1, 0, i);
            write(i + 1, Way.DIRECT, Region.bytes(Place.at(4L * i), 4, i));
        }
        for (int i = 0; i < VIEWS; i++) {
            read(i, Way.DIRECT, value(0, Region.Type.FLOATS, DType.F16, 600));
            if (i % 3 == 0) {
                calls.add(new Call.CloseArena(i / 2));
            }
        }
    }

    private static Region value(int value, Region.Type type, DType dtype, long length) {
        Content content = new Content(Content.Kind.FLOATS, value % CONTENTS);
        return new Region(type, value, dtype, Place.at(0), length, CallerMemory.PLAIN, content);
    }

    private void reads() {
        begin(oneValue(4L * SHORT), 0);
        for (int i = 0; i < HANDLES; i++) {
            long length = i % 2 == 0 ? 66_000 + 300L * i : i % 4 == 1 ? 4100 + i : i % 8 == 3 ? 300 : 1 + i;
            Region region = Region.bytes(Place.at(i * 7L), length, i);
            write(0, Way.DIRECT, region);
            read(0, Way.DEFERRED, region);
        }
        awaitAll();
    }

    /** In any order and every way. */
    private void awaitAll() {
        for (int i = 0; i < HANDLES; i++) {
            calls.add(new Call.Await(i * STRIDE % calls.size(), i));
        }
    }

    private void writes() {
        begin(oneValue(4L * SHORT), 0);
        for (int i = 0; i < ARENAS; i++) {
            allocateHost(i % 8 == 7 ? 4096 + i : 1 + 5L * i);
        }
        for (int i = 0; i < HANDLES; i++) {
            CallerMemory.Kind kind = i % 2 == 0 ? CallerMemory.Kind.HOST : CallerMemory.Kind.NATIVE;
            Region region = Region.bytes(Place.at(i * 11L), i % 16 == 5 ? 70_000 : 1 + i, i);
            write(0, Way.DEFERRED, region.with(new CallerMemory(kind, i % 8, false)));
        }
        awaitAll();
        CallerMemory host = new CallerMemory(CallerMemory.Kind.HOST, 0, false);
        for (int i = 0; i < ARENAS; i++) {
            read(0, Way.DIRECT, Region.bytes(Place.at(i), 1 + 5L * i, i).with(host));
            calls.add(new Call.FreeHost(i * 3 % ARENAS));
        }
    }

    /** Batches that are moved again, in another order, and read twice before the first is awaited. */
    private void batches() {
        begin(oneValue(4000), 0);
        for (int i = 0; i < ARENAS; i++) {
            Region[] regions = {Region.bytes(Place.at(i * 9L), 8, i), Region.bytes(Place.at(2000 - i), 3, i)};
            write(0, Way.BATCH, regions);
            read(0, Way.BATCH, regions);
        }
        for (int i = 0; i < 3 * ARENAS; i++) {
            calls.add(new Call.Again(i * STRIDE % (2 * ARENAS), i % 5 == 0, i));
        }
        for (int i = 0; i < 8; i++) {
            int read = 2 * i + 2; // its key
            calls.add(new Call.Again(read, true, 0));
            write(0, Way.DIRECT, Region.bytes(Place.at(i * 9L), 8, 100 + i));
            calls.add(new Call.Again(read, true, 0));
            calls.add(new Call.Await((i + 1) * STRIDE, i));
        }
        awaitAll();
    }

    private void nested() {
        begin(oneValue(20_000), 0);
        calls.add(new Call.OpenArena(1, oneValue(20_001), 0));
        for (int i = 0; i < 2; i++) {
            write(i, Way.DIRECT, Region.bytes(Place.at(0), 20_000, 77 * i));
        }
        for (long length : new long[] {9, 4096, 8500}) {
            calls.add(new Call.Nest(0, 1, Place.at(5), length, NESTED));
        }
    }

    /** Batches of 1 to 10,007 regions, of each so many powers of two, and one of long regions. */
    private void regions(int step) {
        for (int power = 1; power <= MOST_REGIONS; power <<= step) {
            begin(oneValue(125_000), 0);
            int more = power == MOST_REGIONS ? MANY_REGIONS : power * 5 / 4;
            for (int count : new int[] {power - 1, power, power + 1, more}) {
                for (int order = 0; order < 4; order++) {
                    turn++;
                    if (count <= FEW_REGIONS || order == turn / 4 % 4) {
                        Way way = (turn / 4 + order) % 2 == 0 ? Way.BATCH : Way.DEFERRED;
                        write(0, way, pattern(count, order, turn / 4));
                        read(Way.DIRECT, 0, 12L * count + 20);
                    }
                }
                write(0, turn % 2 == 0 ? Way.DEFERRED : Way.BATCH, pattern(count, 1 + turn / 4 % 2, turn));
                read(0, Way.BATCH, pattern(count, 0, turn));
                read(0, Way.DEFERRED, pattern(count, 2, turn / 2));
                for (int i = 0; i < 3; i++) {
                    await();
                }
            }
        }
        Region[] regions = LongStream.range(0, Math.min(5 * MIB, device.limits().maxArenaBytes()) / (SHORT + 8L) - 1)
                .mapToObj(i -> Region.bytes(Place.at(i * (SHORT + 8L)), SHORT + 1, (int) i))
                .toArray(Region[]::new);
        for (Way way : List.of(Way.BATCH, Way.DEFERRED)) {
            begin(oneValue(regions.length * (SHORT + 8L)), 0);
            write(0, way, regions);
            read(0, way, regions);
            await();
        }
    }

    private static Region[] pattern(int count, int order, int memory) {
        CallerMemory.Kind kind = memory % 2 == 0 ? CallerMemory.Kind.PACKED : CallerMemory.Kind.BYTES;
        CallerMemory caller = new CallerMemory(kind, memory / 2, false);
        Region[] regions = new Region[count];
        for (int i = 0; i < count; i++) {
            long place = switch (order) {
                case 0 -> 8L * i; // side by side
                case 1 -> 12L * (count - i); // with gaps, backwards
                case 2 -> i * 2711L % 8180; // overlapping, in no order
                default -> 5L * (count - i); // overlapping the one before, backwards
            };
            long length = order < 2 ? 8 : 1 + i * 7L % 11;
            regions[i] = Region.bytes(Place.at(place), length, i % CONTENTS).with(caller);
        }
        return regions;
    }

    /** A plan of 100,000 values, of which the 65,537th is another one than the first. */
    private void values() {
        begin(new Layout(4L * VALUES, List.of(), VALUES), 0);
        calls.add(new Call.View(1, 0, oneValue(100)));
        int[] known = {0, 1, SHORT - 1, SHORT, SHORT + 1, SHORT / 2, VALUES - 1};
        for (int value : known) {
            write(0, Way.DIRECT, value(value, Region.Type.FLOATS, DType.F32, 4));
            setLength(0, value, value % 4);
        }
        for (int value : known) {
            for (Region.Type type : List.of(Region.Type.FLOATS, Region.Type.ELEMENTS, Region.Type.PART)) {
                read(0, Way.DIRECT, value(value, type, DType.F32, 4));
                setLength(0, value, 4);
            }
        }
    }

    /** More than 65,536 calls on one arena: where a read is quick, of each kind. */
    private void repeated(int repetitions) {
        Region region = Region.bytes(Place.at(5), 7, 3);
        List<Call> kinds = List.of(
                new Call.Move(0, true, 0, Way.DIRECT, List.of(region)),
                new Call.Move(0, true, 0, Way.ARRAY, List.of(value(0, Region.Type.FLOATS, DType.F16, 6))),
                new Call.Move(0, false, 0, Way.DIRECT, List.of(region)),
                new Call.Move(0, false, 0, Way.MAPPED, List.of(region)),
                new Call.Move(0, false, 0, Way.DEFERRED, List.of(region)),
                new Call.Move(0, true, 0, Way.DEFERRED, List.of(region)),
                new Call.Fill(0, Place.at(2), 9, (byte) 4),
                new Call.SetLength(0, 0, 3));
        for (Call kind : device.kind() == DeviceKind.HOST ? kinds : kinds.subList(0, 2)) {
            begin(oneValue(64), 0);
            calls.add(new Call.Repeat(kind, repetitions));
            Region other = Region.bytes(Place.at(1), 30, 5);
            for (Call last : List.of(
                    new Call.Fill(0, Place.at(3), 9, (byte) 5),
                    new Call.Move(0, true, 0, Way.DIRECT, List.of(other)),
                    new Call.Move(0, true, 0, Way.ARRAY, List.of(value(1, Region.Type.FLOATS, DType.F16, 6))),
                    new Call.Move(0, true, 0, Way.DEFERRED, List.of(other)))) {
                calls.add(last);
                read(Way.DIRECT, 0, 64);
            }
        }
    }

    // ---- far offsets

    private void far(long bytes) {
        long[] begins = {(1L << 31) - 3, (1L << 31) + 101, (1L << 32) - 70_001, (1L << 32) + 1001};
        List<Layout.Value> values = new ArrayList<>();
        for (long begin : begins) {
            values.add(new Layout.Value(begin, 300_000, null));
            values.add(new Layout.Value(begin + 300_001, 8000, DType.I64));
        }
        Layout layout = new Layout(bytes, values, 0);
        begin(layout, 0);
        calls.add(new Call.View(1, 0, layout));
        List<Form> out = Form.all(false, Form.ALL);
        for (int i = 0; i < begins.length; i++) {
            Place begin = Place.at(begins[i]);
            for (Form in : Form.all(true, Form.ALL)) {
                turn++;
                Form reading = out.get(turn % out.size());
                long length = turn % 9 == 0 ? 200_000 : 1000 + turn;
                int value = 2 * i + (in.isTyped() ? turn % 2 : 0);
                Place to = in.type() == Region.Type.PART ? Place.at(0) : begin;
                move(turn % 2, in, region(in, value, to, length));
                Place from = reading.type() == Region.Type.PART ? Place.at(0) : begin;
                move((turn + 1) % 2, reading, region(reading, 2 * i, from, length + turn));
                awaitBoth();
            }
            Place other = Place.at(begins[3 - i]);
            fill(begin, 100_000, i);
            read(1, Way.DEFERRED, Region.bytes(begin, 110_000, 0));
            calls.add(new Call.Copy(1, begin, other, 90_000, 0));
            read(0, Way.BATCH, Region.bytes(other, 100_000, 0));
            calls.add(new Call.Nest(0, 1, begin, 1000, 2));
            setLength(1, 2 * i, 1000);
            read(Way.DIRECT, begins[i] % (1L << 31), 1000);
        }
    }
}
