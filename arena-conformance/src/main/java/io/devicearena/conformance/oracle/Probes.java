package io.devicearena.conformance.oracle;

import io.devicearena.ArenaDevice;
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
            Check.isTrue(
                    "reason of Missing: expected one line, got '" + missing.reason() + "'", isLine(missing.reason()));
            Check.isTrue(
                    "remedy of Missing: expected one line, got '" + missing.remedy() + "'", isLine(missing.remedy()));
        }
    }

    public static boolean isLine(String text) {
        return !text.isBlank()
                && text.chars().noneMatch(one -> Character.isISOControl(one) || one == 0x2028 || one == 0x2029);
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
