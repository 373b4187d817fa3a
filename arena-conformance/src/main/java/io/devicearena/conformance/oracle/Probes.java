package io.devicearena.conformance.oracle;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** Checks what {@code probe} returns, and makes other instances and devices. */
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

    /** Another instance of a provider, made as ServiceLoader would. */
    public static DeviceArenaProvider another(DeviceArenaProvider provider) {
        Class<? extends DeviceArenaProvider> type = provider.getClass();
        try {
            return type.getConstructor().newInstance();
        } catch (IllegalAccessException e) {
            // the package is not exported, and only the service is for others to see
            return ServiceLoader.load(DeviceArenaProvider.class, type.getClassLoader()).stream()
                    .filter(service -> service.type() == type)
                    .findFirst()
                    .orElseThrow(() -> new AssertionFailedError(
                            type.getName()
                                    + ": expected a public class in an exported package, or a registered service,"
                                    + " got neither",
                            e))
                    .get();
        } catch (ReflectiveOperationException e) {
            throw new AssertionFailedError(
                    type.getName() + ": expected a public constructor without arguments that throws nothing, got " + e,
                    e);
        }
    }
}
