package io.devicearena.conformance.sequence;

import io.devicearena.ArenaLimits;
import io.devicearena.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Sequences of calls with random operands: most lengths are small, and many ranges are those of the call before. */
final class RandomSequences {
    private static final int LONGEST_EDGE = 12;
    private static final int CONTENTS = 4096;
    private static final int KEYS = 1 << 20;
    private static final Way[] WRITES = {
        Way.DIRECT, Way.DIRECT, Way.ARRAY, Way.PROGRESS, Way.SHARED, Way.BATCH, Way.BATCH, Way.DEFERRED, Way.DEFERRED
    };
    private static final Way[] READS = {
        Way.DIRECT, Way.DIRECT, Way.ARRAY, Way.NEW_ARRAY, Way.SHARED, Way.MAPPED, Way.BATCH, Way.DEFERRED, Way.DEFERRED
    };

    private final ArenaLimits limits;
    private final SplittableRandom random;
    private int key;
    private Region last = Region.bytes(Place.at(0), 1, 0);

    RandomSequences(ArenaLimits limits, long seed) {
        this.limits = limits;
        this.random = new SplittableRandom(seed);
    }

    /** So many calls; a crowd has many handles and arenas at once. */
    List<Call> next(int calls, boolean isCrowd) {
        List<Call> all = new ArrayList<>();
        all.add(new Call.OpenArena(random.nextInt(KEYS), layout(), random.nextInt(3) * (long) random.nextInt(60)));
        while (all.size() < calls) {
            all.add(call(isCrowd));
        }
        return all;
    }

    private Call call(boolean isCrowd) {
        key++;
        int arena = random.nextInt(KEYS);
        int kind = random.nextInt(100);
        if (kind < 36) {
            return new Call.Move(key, true, arena, way(WRITES, isCrowd, true), regions());
        } else if (kind < 66) {
            return new Call.Move(key, false, arena, way(READS, isCrowd, false), regions());
        } else if (kind < 71) {
            return new Call.Again(random.nextInt(key), random.nextBoolean(), random.nextInt(CONTENTS));
        } else if (kind < 79) {
            return isCrowd && random.nextInt(8) > 0
                    ? new Call.OpenArena(random.nextInt(KEYS), layout(), random.nextInt(40))
                    : new Call.Await(random.nextInt(key), random.nextInt(4));
        } else if (kind < 83) {
            region();
            return new Call.Fill(arena, last.place(), last.length(), (byte) random.nextInt());
        } else if (kind < 88) {
            Place from = last.place();
            long length = region().length();
            return new Call.Copy(
                    arena, from, random.nextBoolean() ? place(length) : last.place(), length, random.nextInt(4) % 3);
        } else if (kind < 92) {
            return new Call.SetLength(arena, random.nextInt(1000), random.nextInt(5) == 0 ? 1L << 30 : length());
        }
        return switch (kind) {
            case 92, 93 -> new Call.Flush(arena);
            case 94, 95 -> new Call.View(random.nextInt(KEYS), arena, layout());
            case 96 -> new Call.OpenArena(random.nextInt(KEYS), layout(), random.nextInt(100));
            case 97 -> random.nextBoolean() ? new Call.CloseArena(arena) : new Call.FreeHost(random.nextInt(key));
            case 98 -> new Call.AllocateHost(key, arena, 1 + length());
            default ->
                new Call.Nest(arena, random.nextInt(KEYS), region().place(), last.length(), 1 + random.nextInt(5));
        };
    }

    private Way way(Way[] ways, boolean isCrowd, boolean stops) {
        if (isCrowd && random.nextInt(3) > 0) {
            return Way.DEFERRED;
        }
        return stops && random.nextInt(40) == 0 ? Way.STOPPED : ways[random.nextInt(ways.length)];
    }

    /** Values of every type and of none, side by side, within each other, odd, empty and long. */
    private Layout layout() {
        long bytes = switch (random.nextInt(8)) {
            case 0 -> random.nextLong(5);
            case 1 -> edge();
            case 2 -> segmented();
            default -> 1 + random.nextLong(300);
        };
        List<Layout.Value> values = new ArrayList<>();
        long next = 0;
        for (int i = random.nextInt(9); i > 0 && bytes > 0; i--) {
            long offset = random.nextInt(3) == 0 ? random.nextLong(bytes) : Math.min(next, bytes);
            long slot = Math.min(bytes - offset, random.nextInt(6) == 0 ? bytes : length());
            DType dtype = random.nextBoolean() ? dtype() : null;
            values.add(new Layout.Value(offset, slot, dtype));
            next = offset + slot + (random.nextInt(3) == 0 ? random.nextInt(8) : 0);
        }
        return new Layout(bytes, values, 0);
    }

    /** Several segments where they are small, else some pages. */
    private long segmented() {
        return limits.maxSegmentBytes() < 1 << 22
                ? 2 * limits.maxSegmentBytes() + random.nextInt(300)
                : 5000 + random.nextLong(100_000);
    }

    private DType dtype() {
        return Form.ALL.get(random.nextInt(random.nextBoolean() ? Form.FLOATS.size() : Form.ALL.size()));
    }

    private long edge() {
        long power = 1L << random.nextInt(LONGEST_EDGE + 1);
        int[] around = {0, 1, -1, 2, -2, 4, -4, 8};
        return Math.max(0, power + around[random.nextInt(around.length)]);
    }

    private long length() {
        int kind = random.nextInt(100);
        if (kind < 5) {
            return 0;
        } else if (kind < 55) {
            return 1 + random.nextLong(20);
        } else if (kind < 92) {
            return edge();
        }
        return random.nextInt(70_000);
    }

    private Place place(long length) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new Place(random.nextInt(1000), -length);
            case 2, 3 -> new Place(random.nextInt(1000), random.nextInt(9) - 4);
            case 4 -> new Place(random.nextInt(1000), -random.nextLong(length + 1));
            default -> Place.at(random.nextInt(300));
        };
    }

    private List<Region> regions() {
        List<Region> all = new ArrayList<>();
        int count = random.nextInt(12);
        for (int i = count < 8 ? 1 : count < 11 ? count - 6 : 20; i > 0; i--) {
            all.add(region());
        }
        return all;
    }

    private Region region() {
        int reuse = random.nextInt(8);
        if (reuse < 2) {
            last = last.with(memory()).with(reuse == 0 ? last.content() : content());
            return last;
        }
        long length = length();
        Region.Type[] types = Region.Type.values();
        Region.Type type = types[random.nextInt(types.length)];
        DType dtype = type == Region.Type.FLOATS ? Form.FLOATS.get(random.nextInt(3)) : dtype();
        last = new Region(type, random.nextInt(1000), dtype, place(length), length, memory(), content());
        return last;
    }

    private CallerMemory memory() {
        CallerMemory.Kind[] kinds = CallerMemory.Kind.values();
        CallerMemory.Kind kind = kinds[random.nextInt(kinds.length)];
        if (random.nextInt(3) == 0 || (kind == CallerMemory.Kind.FILE && random.nextInt(8) > 0)) {
            kind = CallerMemory.Kind.BYTES;
        }
        return new CallerMemory(kind, random.nextInt(8), random.nextInt(5) == 0);
    }

    private Content content() {
        int kind = random.nextInt(20);
        Content.Kind chosen = kind < 9
                ? Content.Kind.BYTES
                : kind < 15 ? Content.Kind.FLOATS : kind < 17 ? Content.Kind.ZEROS : Content.Kind.SAME;
        return new Content(chosen, random.nextInt(CONTENTS));
    }
}
