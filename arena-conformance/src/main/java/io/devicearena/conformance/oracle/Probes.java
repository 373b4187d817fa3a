package io.devicearena.conformance.oracle;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** Checks what {@code probe} returns. */
public final class Probes {
    private Probes() {}

    /** The answer is not null, and a missing provider has a reason and a remedy. */
    public static void check(@Nullable Availability answer) {
        if (answer == null) {
            throw new AssertionFailedError("probe(): expected Ready or Missing, got null");
        }
        if (answer instanceof Availability.Missing missing) {
            isLine("reason of Missing", missing.reason());
            isLine("remedy of Missing", missing.remedy());
        }
    }

    /** A text for lists is one line, and not blank. */
    public static void isLine(String what, String text) {
        boolean isOne = text.chars().noneMatch(one -> Character.isISOControl(one) || one == 0x2028 || one == 0x2029);
        Check.isTrue(what + ": expected one line, got '" + text + "'", isOne && !text.isBlank());
    }

    /** The names of all limits. */
    public static List<String> names(ArenaLimits limits) {
        return List.of(
                limits.maxArenaName(), limits.maxSegmentName(), limits.maxBindingName(), limits.bindingAlignmentName());
    }

    public static List<ArenaDevice> devices(DeviceArenaProvider provider) {
        return provider.probe() instanceof Availability.Ready ready ? ready.devices() : List.of();
    }

    /** A device that differs from another one in its provider's name and its index. */
    public static ArenaDevice like(ArenaDevice device, String provider, int index) {
        return new ArenaDevice(
                provider,
                index,
                device.name(),
                device.description(),
                device.kind(),
                device.priority(),
                device.limits(),
                device.capabilities());
    }
}
