package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lives that meet each other directly or through others, and none of the rest.
 *
 * <p>Threads: immutable.
 */
final class Section implements Lifetimes {
    private final Lives lives;
    private final int[] members;
    private final int firstMoment;
    private final int moments;

    private Section(Lives lives, int[] members, int firstMoment, int moments) {
        this.lives = lives;
        this.members = members;
        this.firstMoment = firstMoment;
        this.moments = moments;
    }

    /** The sections of all lives, in order of time. */
    static List<Section> of(Lives lives) {
        return of(lives, Order.EARLIEST.of(lives));
    }

    /** The sections of some lives, at least one, in order of their first moments. */
    private static List<Section> of(Lives lives, int[] order) {
        List<Section> sections = new ArrayList<>();
        int begin = 0;
        int reached = 0;
        for (int k = 0; k < order.length; k++) {
            int first = lives.first(order[k]);
            if (k > begin && first >= reached) {
                sections.add(section(lives, Arrays.copyOfRange(order, begin, k), reached));
                begin = k;
            }
            reached = Math.max(reached, lives.end(order[k]));
        }
        sections.add(section(lives, Arrays.copyOfRange(order, begin, order.length), reached));
        return sections;
    }

    private static Section section(Lives lives, int[] members, int end) {
        int first = lives.first(members[0]);
        return new Section(lives, members, first, end - first);
    }

    /** The place among all lives of one of the section. */
    int life(int i) {
        return members[i];
    }

    /** Tells whether one lives as long as the whole section. */
    boolean isSpanning(int i) {
        return first(i) == 0 && end(i) == moments;
    }

    /** The sections of those that do not span this one, in order of time. */
    List<Section> inside() {
        int[] order = IntStream.range(0, count())
                .filter(i -> !isSpanning(i))
                .map(this::life)
                .toArray();
        return order.length == 0 ? List.of() : of(lives, order);
    }

    @Override
    public int count() {
        return members.length;
    }

    @Override
    public int moments() {
        return moments;
    }

    @Override
    public int first(int i) {
        return lives.first(members[i]) - firstMoment;
    }

    @Override
    public int end(int i) {
        return lives.end(members[i]) - firstMoment;
    }

    @Override
    public long steps(int i) {
        return lives.steps(members[i]);
    }

    @Override
    public long size(int i) {
        return lives.size(members[i]);
    }

    @Override
    public long bytes(int i) {
        return lives.bytes(members[i]);
    }

    @Override
    public long alignment() {
        return lives.alignment();
    }

    @Override
    public boolean hasBoundary() {
        return lives.hasBoundary();
    }

    @Override
    public long clearOfBoundary(long address, long size) {
        return lives.clearOfBoundary(address, size);
    }
}
