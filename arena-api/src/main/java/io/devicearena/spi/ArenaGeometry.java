package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import java.util.Locale;
import java.util.Objects;

/**
 * The sizes of an arena: the plan at its start, the scratch past it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param planBytes the plan's size, which is also where the scratch begins
 * @param scratchBytes the scratch, a multiple of 16
 * @param sizeBytes the whole arena, {@code max(planBytes + scratchBytes, 1)}
 * @param segments where its segments end; a device that holds every arena in one buffer has one
 */
public record ArenaGeometry(long planBytes, long scratchBytes, long sizeBytes, SegmentLayout segments) {
    /** The scratch is rounded up to a multiple of this many bytes. */
    private static final long SCRATCH_ALIGNMENT = 16;

    /**
     * Computes the sizes and checks them against the device's limit.
     *
     * @param plan what the arena must hold
     * @param options how much scratch it gets
     * @param device whose limit counts
     * @return the sizes
     * @throws IllegalArgumentException if the arena would be larger than {@link ArenaLimits#maxArenaBytes}, with both
     *     figures in bytes and GiB and the limit's name, has no segments ({@link SegmentLayout#of}), or is to use
     *     weights of another device; or if the property {@code devicearena.leaks} has a value that is not known
     * @throws IllegalStateException if the arena of the weights is closed
     */
    public static ArenaGeometry of(MemoryPlan plan, ArenaOptions options, ArenaDevice device) {
        long planBytes = Objects.requireNonNull(plan, "plan").arenaSize();
        long requested = Objects.requireNonNull(options, "options").scratchBytes();
        Objects.requireNonNull(device, "device");
        options.weights().ifPresent(weights -> requireSameDevice(weights.device(), device));
        long padding = -requested & (SCRATCH_ALIGNMENT - 1);
        if (requested > Long.MAX_VALUE - padding || planBytes > Long.MAX_VALUE - (requested + padding)) {
            throw new IllegalArgumentException("arena: expected plan and scratch to add up to at most " + Long.MAX_VALUE
                    + " bytes, got plan " + planBytes + " and scratch " + requested + "; ask for less scratch");
        }
        long scratch = requested + padding;
        long size = Math.max(planBytes + scratch, 1);
        ArenaLimits limits = device.limits();
        if (size > limits.maxArenaBytes()) {
            throw new IllegalArgumentException("arena: expected at most " + sizeText(limits.maxArenaBytes()) + ", the "
                    + limits.maxArenaName() + " of '" + device.name() + "', got " + sizeText(size)
                    + (scratch == 0 ? "" : " (plan " + planBytes + ", scratch " + scratch + ")")
                    + "; split the graph into several plans, plan smaller dtypes, or choose a device that holds more");
        }
        return new ArenaGeometry(
                planBytes,
                scratch,
                size,
                SegmentLayout.of(plan.slots(), size, limits.maxSegmentBytes(), limits.alignmentBytes()));
    }

    private static void requireSameDevice(ArenaDevice weights, ArenaDevice device) {
        if (!weights.provider().equals(device.provider()) || weights.index() != device.index()) {
            throw new IllegalArgumentException("weights: expected an arena on device " + device.index() + " '"
                    + device.name() + "' of provider '" + device.provider() + "', got one on device " + weights.index()
                    + " '" + weights.name() + "' of provider '" + weights.provider() + "'; open both on one device");
        }
    }

    /**
     * A number of bytes as messages write it, for example {@code 1073741824 bytes (1.00 GiB)}.
     *
     * @param bytes 0 or more
     * @return the figure in bytes and in GiB
     */
    public static String sizeText(long bytes) {
        return String.format(Locale.ROOT, "%d bytes (%.2f GiB)", bytes, bytes / (double) (1L << 30));
    }
}
