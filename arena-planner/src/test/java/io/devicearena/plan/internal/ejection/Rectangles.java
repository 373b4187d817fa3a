package io.devicearena.plan.internal.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Lives for tests, in bytes, with a boundary or, where it is 0, none. */
final class Rectangles implements Lifetimes {
    private final int[] firsts;
    private final int[] ends;
    private final long[] sizes;
    private final long boundary;

    private Rectangles(int[] firsts, int[] ends, long[] sizes, long boundary) {
        this.firsts = firsts;
        this.ends = ends;
        this.sizes = sizes;
        this.boundary = boundary;
    }

    /** Up to so many lives at random: short ones, some of them large. */
    static Rectangles random(int most, SplittableRandom random) {
        int count = 1 + random.nextInt(most);
        int[] firsts = random.ints(count, 0, 40).toArray();
        int[] ends = Arrays.stream(firsts)
                .map(first -> first + 1 + random.nextInt(12))
                .toArray();
        return new Rectangles(firsts, ends, random.longs(count, 1, 30).toArray(), random.nextInt(3) == 0 ? 40 : 0);
    }

    @Override
    public int count() {
        return sizes.length;
    }

    @Override
    public int moments() {
        return Arrays.stream(ends).max().orElseThrow();
    }

    @Override
    public int first(int life) {
        return firsts[life];
    }

    @Override
    public int end(int life) {
        return ends[life];
    }

    @Override
    public long size(int life) {
        return sizes[life];
    }

    @Override
    public long clearOfBoundary(long address, long size) {
        return isClear(address, size) ? address : (address / boundary + 1) * boundary;
    }

    /** Tells whether room crosses no multiple of the boundary. */
    boolean isClear(long address, long size) {
        return boundary == 0 || address / boundary == (address + size - 1) / boundary;
    }

    @Override
    public long steps(int life) {
        return length(life);
    }

    @Override
    public boolean hasBoundary() {
        return boundary > 0;
    }

    @Override
    public long alignment() {
        return 1;
    }

    @Override
    public long bytes(int life) {
        return sizes[life];
    }

    long boundary() {
        return boundary;
    }

    boolean meet(int life, int other) {
        return firsts[life] < ends[other] && firsts[other] < ends[life];
    }

    /** The most bytes live at a moment. */
    long bound() {
        long bound = 0;
        for (int moment = 0; moment < moments(); moment++) {
            long live = 0;
            for (int i = 0; i < sizes.length; i++) {
                live += firsts[i] <= moment && moment < ends[i] ? sizes[i] : 0;
            }
            bound = Math.max(bound, live);
        }
        return bound;
    }

    /** Each on top of all others. */
    long[] stacked() {
        long[] addresses = new long[sizes.length];
        long top = 0;
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = clearOfBoundary(top, sizes[i]);
            top = addresses[i] + sizes[i];
        }
        return addresses;
    }

    /** Where the highest of some of them ends. */
    long top(int[] some, long[] places) {
        long top = 0;
        for (int k = 0; k < some.length; k++) {
            top = Math.max(top, places[k] + sizes[some[k]]);
        }
        return top;
    }

    /** Checks that no two that meet overlap, and that none crosses a boundary. */
    void assertValid(long[] at) {
        for (int i = 0; i < at.length; i++) {
            assertThat(at[i]).isNotNegative();
            assertThat(isClear(at[i], sizes[i])).isTrue();
            for (int k = 0; k < i; k++) {
                boolean apart = at[i] >= at[k] + sizes[k] || at[k] >= at[i] + sizes[i];
                assertThat(apart || !meet(i, k)).isTrue();
            }
        }
    }
}
