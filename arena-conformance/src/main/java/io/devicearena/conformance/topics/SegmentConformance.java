package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.Probes;
import io.devicearena.conformance.oracle.SegmentPlans;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Group 11: arenas that the device holds in several segments.
 *
 * <p>Every test runs on every device. Where a segment is larger than 1 MiB, the same calls are made in arenas of one
 * segment.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface SegmentConformance extends ConformanceTopic {
    /** A planner computes where values may lie before the arena exists; names are for messages and lists. */
    @Test
    default void required_11_1_limitsHaveNamesAndFigures() {
        ArenaLimits limits = device().limits();
        for (String name : Probes.names(limits)) {
            Check.same("whether the name of a limit is blank", false, name.isBlank());
        }
        long segment = limits.maxSegmentBytes();
        Check.within("maxSegmentBytes", 1, limits.maxArenaBytes(), segment);
        Check.within("maxBindingBytes", 1, Long.MAX_VALUE, limits.maxBindingBytes());
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
    default void required_11_2_segmentsFollowFromThePlan() {
        int segment = SegmentPlans.segmentBytes(device());
        ArenaLimits limits = device().limits();
        SplittableRandom random = TestData.random(162);
        List<MemoryPlan> plans = new ArrayList<>(List.of(ExamplePlan.plan(), SegmentPlans.values(segment)));
        for (int size : new int[] {segment - 1, segment, segment + 1, 2 * segment, 3 * segment + 5}) {
            plans.add(ExamplePlan.bytes(size));
        }
        for (int round = 0; round < 12; round++) {
            plans.add(SegmentPlans.random(random, segment, limits.alignmentBytes()));
        }
        for (MemoryPlan plan : plans) {
            try (DeviceArena arena = open(plan, ArenaOptions.defaults().withScratchBytes(random.nextLong(segment)))) {
                Check.same(
                        "segments of plan " + plans.indexOf(plan),
                        SegmentLayout.of(
                                plan.slots(), arena.sizeBytes(), limits.maxSegmentBytes(), limits.alignmentBytes()),
                        arena.segments());
            }
        }
    }

    /** The message is the way out: the plan was made without the device. */
    @Test
    default void required_11_3_crossingValueIsRefusedWithFigures() {
        int segment = SegmentPlans.segmentBytes(device());
        ArenaLimits limits = device().limits();
        long most = limits.maxSegmentBytes();
        if (most < limits.maxArenaBytes()) {
            // node 1 fills a segment, and node 2 begins in it: no end is between values
            refused("crosses every possible end", new BufferSlot(0, most), new BufferSlot(most - 1, 2));
            long odd = limits.alignmentBytes() / 2;
            if (odd > 0 && odd < limits.maxArenaBytes() - most) {
                refused(
                        "is larger than a segment and begins at no multiple of the alignment",
                        new BufferSlot(0, odd),
                        new BufferSlot(odd, most + 1));
            }
        }
        // a segment can end before node 2
        int size = segment + segment / 2;
        BufferSlot first = new BufferSlot(0, segment / 2);
        try (DeviceArena arena = open(ExamplePlan.of(size, first, new BufferSlot(segment / 2, segment)))) {
            byte[] bytes = TestData.bytes(167, size);
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            Check.holds("arena opened after refusals", arena, 0, bytes);
        }
    }

    /** A plan with a faulty node 2 is refused, over and over, and the next arena opens. */
    private void refused(String fault, BufferSlot first, BufferSlot second) {
        for (int round = 0; round < 20; round++) {
            Check.assertInvalid(
                    "a plan whose node 2 " + fault,
                    () -> open(ExamplePlan.of(second.end(), first, second)).close(),
                    NODE_2,
                    device().limits().maxSegmentBytes() + " bytes",
                    "got " + second.size() + " bytes at " + second.offset(),
                    "PlanOptions.forDevice");
        }
        openExample().close();
    }

    /** The segments are those of the arena; catches a value that no kernel can bind. */
    @Test
    default void required_11_4_valuesOfAViewFitTheSegments() {
        int segment = SegmentPlans.segmentBytes(device());
        try (DeviceArena arena = open(ExamplePlan.bytes(3L * segment))) {
            for (BufferSlot slot : List.of(new BufferSlot(segment - 4L, 8), new BufferSlot(4, 2L * segment))) {
                MemoryPlan plan = ExamplePlan.of(3L * segment, slot);
                if (arena.segments().count() > 1) {
                    Check.assertInvalid(
                            "a view with a value across " + segment, () -> arena.view(plan), NODE_1, segment);
                } else {
                    arena.view(plan).close();
                }
            }
            byte[] bytes = TestData.bytes(197, 2 * segment);
            BufferSlot whole = new BufferSlot(segment, bytes.length);
            try (DeviceArena view = arena.view(ExamplePlan.of(3L * segment, whole))) {
                Batches.write(view, NODE_1, DType.U8, MemorySegment.ofArray(bytes));
                Check.same("segments of the view", arena.segments(), view.segments());
            }
            Check.holds("a value over two segments", arena, segment, bytes);
        }
    }
}
