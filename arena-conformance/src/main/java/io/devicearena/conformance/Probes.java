package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** Checks what {@code probe} returns. */
final class Probes {
    private Probes() {}

    /** The answer is not null, and a missing provider has a reason and a remedy. */
    static void check(@Nullable Availability answer) {
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

    private static boolean isLine(String text) {
        return !text.isBlank() && text.lines().count() == 1;
    }

    static List<ArenaDevice> devices(DeviceArenaProvider provider) {
        return provider.probe() instanceof Availability.Ready ready ? ready.devices() : List.of();
    }
}
