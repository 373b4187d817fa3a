package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentLayoutTest {
    private static Map<NodeId, BufferSlot> slots(long... offsetsAndSizes) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        for (int i = 0; i < offsetsAndSizes.length; i += 2) {
            slots.put(new NodeId(i / 2 + 1), new BufferSlot(offsetsAndSizes[i], offsetsAndSizes[i + 1]));
        }
        return slots;
    }

    private static long[] starts(SegmentLayout layout) {
        long[] starts = new long[layout.count()];
        Arrays.setAll(starts, layout::start);
        return starts;
    }

    @Test
    void arenaOfOneSegment_isNotDivided() {
        SegmentLayout layout = SegmentLayout.of(slots(3, 70), 100, 100, 16);

        assertThat(layout.count()).isEqualTo(1);
        assertThat(layout.start(0)).isZero();
        assertThat(layout.end(0)).isEqualTo(100);
        assertThat(layout.indexOf(0)).isZero();
        assertThat(layout.indexOf(99)).isZero();
    }

    @Test
    void arenaWithoutSlots_hasSegmentsOfTheLargestSize() {
        assertThat(starts(SegmentLayout.of(Map.of(), 200, 64, 16))).containsExactly(0, 64, 128, 192);
    }

    @Test
    void segments_endBetweenSlots() {
        SegmentLayout layout = SegmentLayout.of(slots(0, 48, 48, 48, 96, 32), 128, 64, 16);

        assertThat(starts(layout)).containsExactly(0, 48, 96);
        assertThat(layout.end(0)).isEqualTo(48);
        assertThat(layout.end(2)).isEqualTo(128);
    }

    @Test
    void slotThatEndsWithItsSegment_staysInOne() {
        assertThat(starts(SegmentLayout.of(slots(0, 64, 64, 64), 128, 64, 16))).containsExactly(0, 64);
    }

    @Test
    void slotLargerThanASegment_beginsOne() {
        assertThat(starts(SegmentLayout.of(slots(0, 16, 16, 150, 166, 10), 176, 64, 16)))
                .containsExactly(0, 16, 80, 144);
    }

    @Test
    void slotWithoutBytes_crossesNothing() {
        assertThat(starts(SegmentLayout.of(slots(70, 0), 128, 64, 16))).containsExactly(0, 64);
    }

    @Test
    void offset_belongsToTheSegmentThatBeginsAtOrBefore() {
        SegmentLayout layout = SegmentLayout.of(Map.of(), 200, 64, 16);

        assertThat(layout.indexOf(63)).isZero();
        assertThat(layout.indexOf(64)).isEqualTo(1);
        assertThat(layout.indexOf(199)).isEqualTo(3);
        assertThat(layout.indexOf(200)).isEqualTo(3);
    }

    @Test
    void sizesNearTheLargestLong_doNotOverflow() {
        long half = 1L << 62;
        SegmentLayout layout = SegmentLayout.of(slots(half, half - 1), Long.MAX_VALUE, half, 16);

        assertThat(starts(layout)).containsExactly(0, half);
        assertThat(layout.indexOf(Long.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void slotAcrossEveryEnd_isRefusedByName() {
        assertThatThrownBy(() -> SegmentLayout.of(slots(0, 40, 8, 40, 40, 40), 128, 64, 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "node 3: expected a slot within one segment (segments have at most 64 bytes), got 40 bytes at"
                                + " 40, which cross byte 64; plan with PlanOptions.forDevice(device)");
    }

    @Test
    void largeSlotInTheMiddleOfAnother_isRefusedWithTheOther() {
        assertThatThrownBy(() -> SegmentLayout.of(slots(0, 40, 32, 96), 128, 64, 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "node 1: expected a slot within one segment (segments have at most 64 bytes), got 40 bytes at"
                                + " 0, which cross byte 32; plan with PlanOptions.forDevice(device)");
    }

    @Test
    void largeSlotOffTheAlignment_isRefused() {
        assertThatThrownBy(() -> SegmentLayout.of(slots(8, 96), 128, 64, 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "node 1: expected a slot larger than a segment, to begin at a multiple of 16 (segments have at"
                                + " most 64 bytes), got 96 bytes at 8; plan with PlanOptions.forDevice(device)");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -16, 8, 40, Long.MIN_VALUE})
    void segmentSizeOffTheAlignment_isRefused(long size) {
        assertThatThrownBy(() -> SegmentLayout.of(Map.of(), 128, size, 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("segment size: expected a multiple of the alignment of 16 bytes, got " + size);
    }

    /** Against a search over all ends: the layout exists when one exists, keeps the rules, and has the fewest. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomSlots_haveTheFewestSegments(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 1000; round++) {
            long size = random.nextLong(1, 121);
            long most = 4 * random.nextLong(1, 13);
            long[] numbers = new long[2 * random.nextInt(6)];
            for (int i = 0; i < numbers.length; i += 2) {
                numbers[i] = random.nextBoolean() ? random.nextInt((int) size) : random.nextInt((int) size) & -4;
                numbers[i + 1] = random.nextLong(size - numbers[i] + 1);
            }
            Map<NodeId, BufferSlot> slots = slots(numbers);
            int fewest = fewest(slots.values(), size, most);
            if (fewest == 0) {
                assertThatThrownBy(() -> SegmentLayout.of(slots, size, most, 4))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("; plan with PlanOptions.forDevice(device)");
            } else {
                SegmentLayout layout = SegmentLayout.of(slots, size, most, 4);
                assertThat(layout.count()).isEqualTo(fewest);
                requireRules(layout, slots.values(), size, most);
            }
        }
    }

    private static void requireRules(SegmentLayout layout, Collection<BufferSlot> slots, long size, long most) {
        for (int i = 0; i < layout.count(); i++) {
            assertThat(layout.end(i) - layout.start(i)).isBetween(1L, most);
        }
        assertThat(layout.end(layout.count() - 1)).isEqualTo(size);
        if (layout.count() > 1) {
            assertThat(ends(slots, size, most)).containsAll(boxed(starts(layout)));
        }
    }

    private static List<Long> boxed(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    /** All places where a segment may begin. */
    private static List<Long> ends(Collection<BufferSlot> slots, long size, long most) {
        List<Long> ends = new ArrayList<>();
        for (long at = 0; at < size; at += 4) {
            long end = at;
            if (slots.stream().noneMatch(s -> s.size() <= most && s.offset() < end && s.end() > end)) {
                ends.add(end);
            }
        }
        return ends;
    }

    /** The fewest segments, 0 if there is no layout. */
    private static int fewest(Collection<BufferSlot> slots, long size, long most) {
        if (size <= most) {
            return 1;
        }
        List<Long> ends = ends(slots, size, most);
        List<Long> required = slots.stream()
                .filter(slot -> slot.size() > most)
                .map(BufferSlot::offset)
                .toList();
        if (!ends.containsAll(required)) {
            return 0;
        }
        int[] best = new int[ends.size() + 1];
        List<Long> all = new ArrayList<>(ends);
        all.add(size);
        for (int to = 1; to < all.size(); to++) {
            for (int from = 0; from < to; from++) {
                long begin = all.get(from);
                long end = all.get(to);
                boolean skips = required.stream().anyMatch(r -> r > begin && r < end);
                if (end - begin <= most && !skips && (from == 0 || best[from] > 0)) {
                    int count = best[from] + 1;
                    best[to] = best[to] == 0 ? count : Math.min(best[to], count);
                }
            }
        }
        return best[all.size() - 1];
    }
}
