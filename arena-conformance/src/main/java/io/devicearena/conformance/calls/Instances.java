package io.devicearena.conformance.calls;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.ServiceLoader;
import org.opentest4j.AssertionFailedError;

/** Makes further instances of a provider, as ServiceLoader would. */
public final class Instances {
    private Instances() {}

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
