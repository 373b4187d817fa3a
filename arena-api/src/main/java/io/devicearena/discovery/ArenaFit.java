package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceKind;
import io.devicearena.spi.ArenaOverhead;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Whether an arena fits a device, as {@link DeviceArenas#fit} finds it before anything is allocated. Other programs
 * change the free memory at any time: the answer is a hint, not a promise.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param device the device
 * @param planBytes the bytes of the plan
 * @param scratchBytes the scratch that the options ask for
 * @param overhead the f16 shadow and the staging
 * @param totalBytes the memory of the device, or empty where it does not say
 * @param freeBytes what is free of it now, or empty where it does not say
 */
public record ArenaFit(
        ArenaDevice device,
        long planBytes,
        long scratchBytes,
        ArenaOverhead overhead,
        OptionalLong totalBytes,
        OptionalLong freeBytes) {
    /** Makes the answer. */
    public ArenaFit {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(overhead, "overhead");
        Objects.requireNonNull(totalBytes, "totalBytes");
        Objects.requireNonNull(freeBytes, "freeBytes");
    }

    /**
     * {@return the bytes of the device that the arena takes: plan, scratch and shadow, and on a device without memory
     * of its own the staging}
     */
    public long neededBytes() {
        boolean own = device.kind() == DeviceKind.DISCRETE_GPU || device.kind() == DeviceKind.ACCELERATOR;
        return sum(sum(planBytes, scratchBytes), sum(overhead.shadowBytes(), own ? 0 : overhead.stagingBytes()));
    }

    /**
     * {@return the bytes that are left once the arena is open, by the free memory and the largest arena of the device;
     * negative: the arena does not fit, by as many bytes; empty: the device does not say what is free, and is not known
     * to be too small}
     */
    public OptionalLong spareBytes() {
        long byLimit = device.limits().maxArenaBytes() - sum(planBytes, scratchBytes);
        OptionalLong memory = freeBytes.isPresent() ? freeBytes : totalBytes;
        long spare = memory.isPresent() ? Math.min(memory.getAsLong() - neededBytes(), byLimit) : byLimit;
        return freeBytes.isPresent() || spare < 0 ? OptionalLong.of(spare) : OptionalLong.empty();
    }

    /** {@return whether the arena is known to fit} */
    public boolean isKnownToFit() {
        return spareBytes().orElse(-1) >= 0;
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
