package io.devicearena;

import java.util.Objects;
import java.util.Set;

/**
 * One device of one provider: what it is, what it allows and what it can do.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param provider the name of the provider that lists it
 * @param index its position in the provider's list, 0 or more
 * @param name what the device calls itself
 * @param description driver, memory and what else distinguishes devices, for people
 * @param kind what sort of device it is
 * @param priority the highest is chosen when the caller does not choose; {@link DeviceKind#priority} is usual. Two
 *     providers with the same highest one are refused, so a second provider of a kind takes another
 * @param limits what it allows; {@code PlanOptions.forDevice} of arena-planner plans to them
 * @param capabilities what its arenas can do beyond reading and writing
 */
public record ArenaDevice(
        String provider,
        int index,
        String name,
        String description,
        DeviceKind kind,
        int priority,
        ArenaLimits limits,
        Set<Capability> capabilities) {
    /**
     * Makes the description of a device; the set is copied.
     *
     * @throws IllegalArgumentException if {@code index} is negative
     */
    public ArenaDevice {
        Objects.requireNonNull(provider, "provider");
        if (index < 0) {
            throw new IllegalArgumentException("device index: expected 0 or more, got " + index);
        }
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(limits, "limits");
        capabilities = Set.copyOf(capabilities);
    }
}
