package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A backend: it lists its devices and opens arenas on them.
 *
 * <p>Backend authors implement it and register the class twice, with {@code provides … with …} in
 * {@code module-info.java} and in {@code META-INF/services/io.devicearena.spi.DeviceArenaProvider}, so that it is found
 * on the module path and on the class path. {@link io.devicearena.discovery.DeviceArenas} calls it. Its public
 * no-argument constructor does nothing; work that takes time or can fail belongs in {@link #probe}.
 *
 * <p>The interface grows by {@code default} methods only.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface DeviceArenaProvider {
    /**
     * The SPI version that the provider was built against.
     *
     * @return {@link SpiVersion#CURRENT}, written as that constant
     */
    int spiVersion();

    /**
     * The name by which users choose the provider.
     *
     * @return a short lower-case name, unique among the providers of a process, for example {@code cpu}
     */
    String name();

    /**
     * Finds out whether arenas can be opened, and on which devices. It never throws and never ends the process: a
     * missing driver, a missing or wrong library and a broken file are answers. It may load native code and cache its
     * answer. {@link io.devicearena.discovery.DeviceArenas} asks once in a process, and other threads wait for the
     * answer.
     *
     * @return the devices, or why there are none and what would fix it
     */
    Availability probe();

    /**
     * Returns what a device offers beyond its limits and capabilities, by name, for people and tools. The provider
     * documents its names; a name keeps its meaning and unit. It opens nothing.
     *
     * @param device one of the devices that {@link #probe} listed
     * @return each a {@link Long}, {@link Double}, {@link Boolean} or {@link String}, in the order in which to print
     *     them; empty by default
     * @throws IllegalArgumentException if {@code device} is not of this provider
     */
    default Map<String, Object> facts(ArenaDevice device) {
        return Map.of();
    }

    /**
     * Returns a stable id of the hardware of a device. Two providers that list the same GPU return the same id, so that
     * engines and tools recognise it. It stays the same while the machine runs. The call opens nothing.
     *
     * <p>It is the address on the PCI bus where that is known, written {@code pci:0000:3b:00.0} with domain, bus,
     * device and function in lower-case hexadecimal, else the UUID that the driver gives the device, written {@code
     * uuid:01234567-89ab-cdef-0123-456789abcdef}.
     *
     * @param device one of the devices that {@link #probe} listed
     * @return the text, or empty where the device has no such name, as by default
     * @throws IllegalArgumentException if {@code device} is not of this provider
     */
    default Optional<String> identity(ArenaDevice device) {
        return Optional.empty();
    }

    /**
     * Returns how much memory of a device is free now. Other programs change it at any time: a hint for a choice, not a
     * promise that an arena of that size can be opened.
     *
     * @param device one of the devices that {@link #probe} listed
     * @return bytes, 0 or more, or empty where the device does not say, as by default
     * @throws IllegalArgumentException if {@code device} is not of this provider
     */
    default OptionalLong freeBytes(ArenaDevice device) {
        return OptionalLong.empty();
    }

    /**
     * Returns the memory of a device, free or not.
     *
     * @param device one of the devices that {@link #probe} listed
     * @return bytes, 0 or more, or empty where the device does not say, as by default
     * @throws IllegalArgumentException if {@code device} is not of this provider
     */
    default OptionalLong totalBytes(ArenaDevice device) {
        return OptionalLong.empty();
    }

    /**
     * Returns what an arena would take beside its own bytes. It opens nothing.
     *
     * @param device one of the devices that {@link #probe} listed
     * @param plan where the values would live
     * @param options how the arena would be opened
     * @return shadow and staging, none by default
     * @throws IllegalArgumentException if {@code device} is not of this provider
     */
    default ArenaOverhead overhead(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return ArenaOverhead.NONE;
    }

    /**
     * Allocates the memory of an arena.
     *
     * @param device one of the devices that {@link #probe} listed
     * @param plan where the values live
     * @param options scratch and label; provider and device have been chosen already
     * @return the memory, zeroed, of {@link ArenaGeometry#sizeBytes} bytes
     * @throws IllegalArgumentException if plan and scratch need more than the device's limit (see
     *     {@link ArenaGeometry#of}), or {@code device} is not of this provider
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough free memory
     * @throws io.devicearena.DeviceException if the device fails
     */
    ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options);

    /**
     * Opens an arena with all that arenas do around a backend: checks, slots, lengths, views, observation and lifetime.
     * {@link io.devicearena.discovery.DeviceArenas} calls it. Providers do not override it.
     *
     * @param device one of the devices that {@link #probe} listed
     * @param plan where the values live
     * @param options scratch, label, weights and checks
     * @return the arena
     * @throws IllegalArgumentException as {@link #open} says
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough free memory
     * @throws io.devicearena.DeviceException if the device fails
     */
    default DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return StandardArena.open(this, device, plan, options);
    }
}
