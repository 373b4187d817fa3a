package io.devicearena.conformance;

import static io.devicearena.conformance.SegmentPlans.EXACT;
import static io.devicearena.conformance.SegmentPlans.LARGE;
import static io.devicearena.conformance.SegmentPlans.NEXT;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Group 16: arenas that the device holds in several segments.
 *
 * <p>Every test runs on every device. Where a segment is larger than 1 MiB, the same calls are made in arenas of one
 * segment.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface SegmentConformance extends ConformanceTopic {
    /** A planner computes where values may lie before the arena exists; names are for messages and lists. */
    @Test
    default void required_16_1_limitsHaveNamesAndFigures() {
        ArenaLimits limits = device().limits();
        Map<String, String> names = Map.of(
                "maxArenaName", limits.maxArenaName(),
                "maxSegmentName", limits.maxSegmentName(),
                "maxBindingName", limits.maxBindingName(),
                "bindingAlignmentName", limits.bindingAlignmentName());
        names.forEach((what, name) -> Check.isTrue(what + ": expected a text, got '" + name + "'", !name.isBlank()));
        long segment = limits.maxSegmentBytes();
        Check.isTrue(
                "maxSegmentBytes: expected 1 to " + limits.maxArenaBytes() + ", got " + segment,
                segment >= 1 && segment <= limits.maxArenaBytes());
        Check.isTrue(
                "maxBindingBytes: expected 1 or more, got " + limits.maxBindingBytes(), limits.maxBindingBytes() >= 1);
        for (long alignment : new long[] {limits.alignmentBytes(), limits.bindingAlignmentBytes()}) {
            Check.isTrue("alignment: expected a power of two, got " + alignment, Long.bitCount(alignment) == 1);
            Check.isTrue(
                    "maxSegmentBytes: expected the largest arena or a multiple of " + alignment + ", got " + segment,
                    segment == limits.maxArenaBytes() || segment % alignment == 0);
        }
        try (DeviceArena arena = openExample()) {
            Check.same("limits of an open arena", limits, arena.device().limits());
        }
    }

    /** A kernel binds a range of one segment; catches buffers that are cut inside a value. */
    @Test
    default void required_16_2_segmentsFollowFromThePlan() {
        int segment = SegmentPlans.segmentBytes(device());
        long alignment = device().limits().alignmentBytes();
        try (DeviceArena arena = openExample()) {
            SegmentPlans.checkLayout("the example plan", arena);
        }
        for (int size : new int[] {segment - 1, segment, segment + 1, 2 * segment, 3 * segment + 5}) {
            try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
                SegmentPlans.checkLayout("a plan of " + size + " bytes", arena);
            }
        }
        try (DeviceArena arena = open(SegmentPlans.values(segment))) {
            SegmentPlans.checkLayout("a plan with a value larger than a segment", arena);
        }
        SplittableRandom random = TestData.random(162);
        for (int round = 0; round < 12; round++) {
            MemoryPlan plan = SegmentPlans.random(random, segment, alignment);
            try (DeviceArena arena = open(plan, ArenaOptions.defaults().withScratchBytes(random.nextLong(segment)))) {
                SegmentPlans.checkLayout("random plan " + round, arena);
            }
        }
    }

    /** Catches the last word before an end, the first after it, and the neighbours of both. */
    @Test
    default void required_16_3_rawRangesCrossSegmentEnds() {
        int segment = SegmentPlans.segmentBytes(device());
        int size = 3 * segment + segment / 2 + 5;
        try (DeviceArena arena = open(ExamplePlan.bytes(size));
                Arena memory = Arena.ofConfined()) {
            byte[] model = SegmentPlans.words(163, size);
            arena.writeBytes(0, MemorySegment.ofArray(model));
            Check.holds("arena written at once", arena, 0, model);
            SplittableRandom random = TestData.random(164);
            for (int end = segment; end < size; end += segment) {
                SegmentRanges.around(arena, model, end, random);
            }
            MemorySegment source = memory.allocate(size);
            int[][] ranges = {
                {0, segment},
                {segment, 2 * segment},
                {segment - 3, 2 * segment + 5},
                {segment, 3 * segment},
                {1, 3 * segment + 1},
                {2 * segment - 1, size}
            };
            for (int[] range : ranges) {
                byte[] bytes = SegmentPlans.words(range[0] + range[1], range[1] - range[0]);
                System.arraycopy(bytes, 0, model, range[0], bytes.length);
                source.copyFrom(MemorySegment.ofArray(bytes));
                long[] last = new long[1];
                arena.writeBytes(range[0], source.asSlice(0, bytes.length), done -> last[0] = done);
                String what = "bytes " + range[0] + " to " + range[1];
                Check.same("the last progress of " + what, (long) bytes.length, last[0]);
                Check.holds(what, arena, range[0], bytes);
                Check.holds("arena after a write to " + what, arena, 0, model);
            }
        }
    }

    /** Catches casts that begin anew in each segment, and elements lost where a segment ends. */
    @Test
    default void required_16_4_valuesMayBeLargerThanASegment() {
        int segment = SegmentPlans.segmentBytes(device());
        MemoryPlan plan = SegmentPlans.values(segment);
        try (DeviceArena arena = open(plan)) {
            byte[] model = SegmentPlans.words(165, Math.toIntExact(plan.arenaSize()));
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (DType dtype : TestData.HOST_FLOATS) {
                for (NodeId id : List.of(LARGE, EXACT, NEXT)) {
                    SegmentRanges.typed(arena, model, id, dtype, segment);
                }
            }
        }
    }

    /** Each of these has a path of its own through a backend; all must find every segment. */
    @Test
    default void required_16_5_batchesDeferredReadsAndViewsCrossSegmentEnds() {
        int segment = SegmentPlans.segmentBytes(device());
        MemoryPlan plan = SegmentPlans.values(segment);
        int size = Math.toIntExact(plan.arenaSize());
        try (DeviceArena arena = open(plan)) {
            byte[] before = SegmentPlans.words(166, size);
            byte[] after = SegmentPlans.words(0x166_0000, size);
            SegmentRanges.Regions regions = new SegmentRanges.Regions(plan, segment);
            arena.writeBytes(0, MemorySegment.ofArray(before));
            Check.same("result of a batch across ends", regions.result(), arena.readBatch(regions.batch()));
            regions.check("batch", before);
            Transfer read = arena.beginRead(regions.batch());
            arena.writeBytes(0, MemorySegment.ofArray(after));
            Check.same("result of a deferred read across ends", regions.result(), read.await());
            regions.check("deferred read, after a later write", before);
            arena.readBatch(regions.batch());
            regions.check("batch read again", after);
            for (int[] range : SegmentRanges.acrossEnds(segment, size)) {
                byte[] viewed = arena.withBytes(range[0], range[1], view -> view.toArray(Batches.BYTE));
                Check.same(
                        "mapped view across an end",
                        range[0],
                        Arrays.copyOfRange(after, range[0], range[0] + range[1]),
                        viewed);
            }
        }
    }

    /** The message is the way out: the plan was made without the device. */
    @Test
    default void required_16_6_crossingValueIsRefusedWithFigures() {
        int segment = SegmentPlans.segmentBytes(device());
        ArenaLimits limits = device().limits();
        long most = limits.maxSegmentBytes();
        if (most < limits.maxArenaBytes()) {
            // node 1 fills a segment, and node 2 begins in it: no end is between values
            MemoryPlan crossing = SegmentPlans.plan(
                    most + 1, Map.of(NodeId.of(1), new BufferSlot(0, most), NodeId.of(2), new BufferSlot(most - 1, 2)));
            for (int round = 0; round < 20; round++) {
                SegmentRanges.refused(this, crossing, "crosses every possible end", "got 2 bytes at " + (most - 1));
            }
            long odd = limits.alignmentBytes() / 2;
            if (odd > 0 && odd < limits.maxArenaBytes() - most) {
                MemoryPlan large = SegmentPlans.plan(
                        most + 1 + odd,
                        Map.of(NodeId.of(1), new BufferSlot(0, odd), NodeId.of(2), new BufferSlot(odd, most + 1)));
                SegmentRanges.refused(
                        this,
                        large,
                        "is larger than a segment and begins at no multiple of the alignment",
                        "got " + (most + 1) + " bytes at " + odd);
            }
        }
        // a segment can end before node 2
        MemoryPlan between = SegmentPlans.plan(
                segment + segment / 2,
                Map.of(
                        NodeId.of(1),
                        new BufferSlot(0, segment / 2),
                        NodeId.of(2),
                        new BufferSlot(segment / 2, segment)));
        try (DeviceArena arena = open(between)) {
            byte[] bytes = SegmentPlans.words(167, Math.toIntExact(between.arenaSize()));
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            Check.holds("arena opened after refusals", arena, 0, bytes);
        }
    }

    /** A weight may be larger than a segment; its mirror has all of it. */
    @Test
    default void optional_16_7_mirrorsCoverEverySegment() {
        assumeCapability(Capability.F16_SHADOW);
        int segment = SegmentPlans.segmentBytes(device());
        MemoryPlan plan = SegmentPlans.values(segment);
        int elements = Math.toIntExact(plan.slot(LARGE).orElseThrow().size() / 4);
        int[] first = TestData.random(167).ints(elements).toArray();
        int[] second = TestData.random(168).ints(elements).toArray();
        try (DeviceArena arena = open(plan)) {
            F16Shadow shadow = Shadows.of(arena);
            Shadows.holds("new shadow", shadow, 0, new byte[Math.toIntExact(shadow.sizeBytes())]);
            arena.writeInputF32(LARGE, DType.F32, MemorySegment.ofArray(first));
            Shadows.holds("mirror after a typed write", shadow, 0, Shadows.mirror(first));
            long exact = plan.slot(EXACT).orElseThrow().offset() / 2;
            Shadows.holds(
                    "mirrors of the other values",
                    shadow,
                    exact,
                    new byte[Math.toIntExact(shadow.sizeBytes() - exact)]);
            SegmentRanges.stale("a typed write", arena);

            arena.writeBytes(0, MemorySegment.ofArray(second).asSlice(0, 2L * segment + 20));
            SegmentRanges.stale("a raw write to all of the large value", arena, LARGE);
            Shadows.holds("mirror after a raw write", shadow, 0, Shadows.mirror(first));
            shadow.refresh(LARGE);
            Shadows.holds("mirror after a refresh", shadow, 0, Shadows.mirror(second));
            SegmentRanges.stale("a refresh", arena);

            byte[] bytes = Check.all(arena);
            shadow.write(LARGE, MemorySegment.ofArray(first));
            Shadows.holds("mirror written alone", shadow, 0, Shadows.mirror(first));
            Check.holds("arena after a write to a mirror", arena, 0, bytes);
            arena.writeBytes(segment - 1L, Segments.of((byte) 1, (byte) 2));
            SegmentRanges.stale("a raw write across an end within a value", arena, LARGE);
            arena.writeBytes(3L * segment - 1, Segments.of((byte) 1, (byte) 2));
            SegmentRanges.stale("a raw write across an end between values", arena, LARGE, EXACT, NEXT);
            shadow.refresh(EXACT);
            SegmentRanges.stale("a refresh of one value", arena, LARGE, NEXT);
            byte[] expected = Shadows.mirror(first);
            Shadows.holds(
                    "shadow across an end",
                    shadow,
                    segment / 2 - 3,
                    Arrays.copyOfRange(expected, segment / 2 - 3, segment / 2 + 8));
        }
    }

    /** Catches a word before or after an end that is read, changed and written back; as 9.2, it may miss one. */
    @Test
    default void stochastic_16_8_threadsOnBothSidesOfAnEndLoseNothing() {
        int segment = SegmentPlans.segmentBytes(device());
        byte[] model = SegmentPlans.words(168, 2 * segment + 64);
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            byte[] still = Arrays.copyOfRange(model, 2 * segment - 33, 2 * segment + 31);
            Race.rounds(
                    100,
                    round -> {},
                    round -> Check.holds(
                            "bytes around an end, round " + round,
                            arena,
                            segment - 32L,
                            Arrays.copyOfRange(model, segment - 32, segment + 32)),
                    List.of(
                            round -> SegmentRanges.write(arena, model, segment - 9, 7, round),
                            round -> SegmentRanges.write(arena, model, segment - 2, 5, ~round),
                            round -> SegmentRanges.write(arena, model, segment + 3, 6, round + 7),
                            round -> SegmentRanges.read(arena, 2 * segment - 33, still, round)));
            Check.holds("arena after all rounds", arena, 0, model);
        }
    }

    /** Catches buffers that are zeroed only if they are the first, and memory that a pool reuses. */
    @Test
    default void required_16_9_freshSegmentsReadAsZero() {
        int segment = SegmentPlans.segmentBytes(device());
        ArenaOptions options = ArenaOptions.defaults().withScratchBytes(2L * segment);
        MemoryPlan plan = ExamplePlan.bytes(2L * segment - 9);
        int size = 4 * segment - 9;
        for (int round = 0; round < 3; round++) {
            try (DeviceArena arena = open(plan, options)) {
                Check.holds("arena " + round, arena, 0, new byte[size]);
                arena.writeBytes(0, MemorySegment.ofArray(TestData.filled(size, 0xFF)));
                byte[] scratch = SegmentPlans.words(169, 2 * segment);
                arena.writeBytes(arena.scratchOffset(), MemorySegment.ofArray(scratch));
                Check.holds("scratch across ends", arena, arena.scratchOffset(), scratch);
                Check.holds("plan before it", arena, 0, TestData.filled(2 * segment - 9, 0xFF));
                arena.writeBytes(arena.scratchOffset(), MemorySegment.ofArray(TestData.filled(2 * segment, 0xFF)));
            }
        }
    }
}
