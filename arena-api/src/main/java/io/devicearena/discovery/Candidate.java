package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceArena;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A provider that was found, or a placeholder for one that failed to load. Its methods never throw what the provider
 * throws: a failing provider is reported as missing.
 *
 * @param name the provider's name, or its class name when {@code name()} failed
 * @param implementation the class name
 * @param provider the provider, or null when it is unusable
 * @param reason why it is unusable, or null when it is usable
 */
record Candidate(
        String name,
        String implementation,
        @Nullable DeviceArenaProvider provider,
        Availability.@Nullable Missing reason) {
    private static final String UPDATE =
            "use versions of arena-api and the provider that belong together, or remove the provider from the path";

    static Candidate of(DeviceArenaProvider provider) {
        String implementation = provider.getClass().getName();
        String name = implementation;
        try {
            String answer = provider.name();
            if (answer == null || answer.isBlank()) {
                return unusable(
                        implementation,
                        implementation,
                        "its name is " + (answer == null ? "null" : "blank"),
                        "report this to the provider's author");
            }
            name = answer;
            int version = provider.spiVersion();
            if (version < SpiVersion.OLDEST || version > SpiVersion.CURRENT) {
                return unusable(
                        name,
                        implementation,
                        "it was built for version " + version + " of the provider SPI, and this arena-api has versions "
                                + SpiVersion.OLDEST + " to " + SpiVersion.CURRENT,
                        version > SpiVersion.CURRENT
                                ? "use an arena-api that is as new as the provider"
                                : "use versions of arena-api and the provider that belong together");
            }
            return new Candidate(name, implementation, provider, null);
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // one failing provider must not stop the others
            return unusable(name, implementation, "its name and SPI version could not be read: " + e, UPDATE);
        }
    }

    static Candidate unusable(String name, String implementation, String reason, String remedy) {
        return new Candidate(name, implementation, null, new Availability.Missing(reason, remedy));
    }

    /** Probes the provider; never throws what the provider throws. */
    Availability probe() {
        if (provider == null) {
            return reason == null ? new Availability.Missing("it is not loaded", UPDATE) : reason;
        }
        try {
            Availability answer = provider.probe();
            return answer == null
                    ? new Availability.Missing("its probe returned null", "report this to the provider's author")
                    : answer;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // one failing provider must not stop the others
            return new Availability.Missing(
                    "its probe threw " + e, "report this to the provider's author; a probe must not throw");
        }
    }

    /** The type of the provider's arenas; the general one if it is unusable or does not say. */
    Class<? extends DeviceArena> arenaType() {
        try {
            Class<? extends DeviceArena> type = provider == null ? null : provider.arenaType();
            return type == null ? DeviceArena.class : type;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // its probe reports what is wrong with it
            return DeviceArena.class;
        }
    }

    /** Whether the provider lists a device now. */
    boolean lists(ArenaDevice device) {
        return name.equals(device.provider()) && listed().contains(device);
    }

    /** The devices that the provider lists now. */
    List<ArenaDevice> listed() {
        return probe() instanceof Availability.Ready ready ? ready.devices() : List.of();
    }

    /** The facts of a device that the provider lists; none if it fails. */
    Map<String, Object> facts(ArenaDevice device) {
        try {
            Map<String, Object> facts = provider == null ? null : provider.facts(device);
            return facts == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // facts are for people and tools: without them the device still works
            return Map.of();
        }
    }

    /** What names the hardware of a device; empty if the provider does not say or fails. */
    Optional<String> identity(ArenaDevice device) {
        return asked(() -> provider == null ? null : provider.identity(device), Optional.empty());
    }

    /** The free memory of a device in bytes; empty if the provider does not say or fails. */
    OptionalLong freeBytes(ArenaDevice device) {
        return asked(() -> provider == null ? null : provider.freeBytes(device), OptionalLong.empty());
    }

    private static <T> T asked(Supplier<@Nullable T> question, T unknown) {
        try {
            T answer = question.get();
            return answer == null ? unknown : answer;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // as for facts
            return unknown;
        }
    }

    ProviderReport report() {
        return new ProviderReport(name, implementation, probe());
    }
}
