package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_4;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Group 10: the largest arena, and the scratch after the plan.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LimitConformance extends ConformanceTopic {
    /** The caller can compute every offset before the arena exists. */
    @Test
    default void required_10_1_scratchIsRoundedUpTo16() {
        long[][] cases = {{0, 0}, {1, 16}, {16, 16}, {17, 32}};
        for (long[] one : cases) {
            try (DeviceArena arena =
                    open(ExamplePlan.plan(), ArenaOptions.defaults().withScratchBytes(one[0]))) {
                String what = " with " + one[0] + " bytes of scratch asked for";
                Check.same("scratchBytes" + what, one[1], arena.sizeBytes() - arena.scratchOffset());
                Check.same("scratchOffset" + what, 77L, arena.scratchOffset());
                Check.same("sizeBytes" + what, 77 + one[1], arena.sizeBytes());
            }
        }
        Check.assertInvalid("scratch of -1 byte", () -> ArenaOptions.defaults().withScratchBytes(-1));
    }

    /** Catches scratch that overlaps the last slot, above all after a plan whose size is no multiple of 16. */
    @Test
    default void required_10_2_scratchSharesNoByteWithThePlan() {
        try (DeviceArena arena = openExample()) {
            int scratch = Math.toIntExact(arena.sizeBytes() - arena.scratchOffset());
            arena.writeBytes(arena.scratchOffset(), MemorySegment.ofArray(TestData.filled(scratch, 0x77)));
            Check.holds("plan after the scratch was filled", arena, 0, TestData.filled(77, 0x55));
            arena.writeBytes(0, MemorySegment.ofArray(TestData.filled(77, 0x11)));
            for (NodeId id : List.of(NODE_1, NODE_2, NODE_3, NODE_4)) {
                arena.writeInputF32(id, DType.BF16, TestData.exact(DType.BF16, 100));
            }
            Check.holds(
                    "scratch after every slot was filled",
                    arena,
                    arena.scratchOffset(),
                    TestData.filled(scratch, 0x77));
        }
    }

    /** The user sees both figures before the device fails with its own message. */
    @Test
    default void required_10_3_planPastTheLimitIsRefusedWithFigures() {
        long limit = limitBelowForever();
        String name = device().limits().maxArenaName();
        Check.isTrue("name of the device's limit: expected a text, got '" + name + "'", !name.isBlank());
        Check.assertInvalid(
                "a plan of " + (limit + 1) + " bytes where " + limit + " are allowed",
                () -> open(ExamplePlan.bytes(limit + 1)).close(),
                limit,
                limit + 1,
                name,
                String.format(Locale.ROOT, "%.2f GiB", limit / (double) (1L << 30)));
        openExample().close();
    }

    /** Catches a check made before the scratch is added, and a sum that overflows to a small number. */
    @Test
    default void required_10_4_scratchCountsAgainstTheLimit() {
        Check.assertInvalid(
                "a plan of 2^63 - 1 bytes with a byte of scratch",
                () -> open(
                                ExamplePlan.bytes(Long.MAX_VALUE),
                                ArenaOptions.defaults().withScratchBytes(1))
                        .close());
        long limit = limitBelowForever();
        Check.assertInvalid(
                "a plan of " + limit + " bytes, the limit, with a byte of scratch",
                () -> open(ExamplePlan.bytes(limit), ArenaOptions.defaults().withScratchBytes(1))
                        .close(),
                limit,
                limit + 16);
    }

    private long limitBelowForever() {
        long limit = device().limits().maxArenaBytes();
        if (limit > Long.MAX_VALUE - 16) {
            throw skip("its arenas have no limit");
        }
        return limit;
    }

    /** Kernels bind windows of a large arena; their limit is not the arena's. */
    @Test
    default void stochastic_10_5_arenaMayBeLargerThanABinding() {
        ArenaLimits limits = device().limits();
        if (limits.maxBindingBytes() > limits.maxArenaBytes() - limits.alignmentBytes()) {
            throw skip("a binding of it covers its largest arena");
        }
        long size = limits.maxBindingBytes() + limits.alignmentBytes();
        try (DeviceArena arena = LargeArena.open(this, ExamplePlan.bytes(size))) {
            byte[] first = TestData.bytes(105, 5);
            byte[] last = TestData.bytes(106, 5);
            arena.writeBytes(0, MemorySegment.ofArray(first));
            arena.writeBytes(size - 5, MemorySegment.ofArray(last));
            Check.holds("the first bytes", arena, 0, first);
            Check.holds("the last bytes", arena, size - 5, last);
        }
    }
}
