package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.DeviceSelector;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaOverhead;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds backends and opens arenas on them.
 *
 * <p>Providers are those that {@link java.util.ServiceLoader} finds on the class path or the module path, with the
 * class loader of arena-api and with the context loader of the calling thread, where that is another one: in a plugin,
 * a servlet or a Spark task, a backend may be in a loader that arena-api does not see. To use those of a further
 * loader, make it the thread's context loader for the call. A class counts once, whichever loaders see it; of two
 * copies, that of arena-api's loader is used. Nothing here keeps a context loader alive.
 *
 * <p>A provider is loaded, asked for its name and probed once; the answer holds until the process ends, also if it is
 * that the provider is missing. One that fails is listed with its class and what it threw, and the others keep working.
 *
 * <p>Which provider is used: the one that {@link ArenaOptions#withProvider} names, else the system property {@value
 * #PROVIDER_PROPERTY}, else the environment variable {@value #PROVIDER_VARIABLE}, else the available device with the
 * highest priority: a GPU before the host's memory, the host's memory before a GPU emulated in software. Of several
 * with that priority, the one whose kind has the higher {@link io.devicearena.DeviceKind#priority} is used, and within
 * one provider the one of the lowest index. If devices of different providers are equal in both, no choice would be
 * better than chance: the caller has to name the provider.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class DeviceArenas {
    /** The system property that names the provider when the caller does not. */
    public static final String PROVIDER_PROPERTY = "devicearena.provider";

    /** The environment variable that names the provider when neither the caller nor the property does. */
    public static final String PROVIDER_VARIABLE = "DEVICEARENA_PROVIDER";

    private DeviceArenas() {}

    /** What this thread can use. Nothing is loaded before the first call, so that naming this class costs nothing. */
    private static List<Candidate> candidates() {
        return ProviderLoader.visible(
                DeviceArenaProvider.class.getClassLoader(),
                Thread.currentThread().getContextClassLoader());
    }

    /**
     * Lists every provider that was found, available or not, including those that could not be loaded. The first call
     * probes all of them, which may take seconds where a driver starts.
     *
     * @return a report for each, in the order they were found; those of arena-api's loader come first
     */
    public static List<ProviderReport> providers() {
        return candidates().stream().map(Candidate::report).toList();
    }

    /**
     * Opens an arena on the best available device.
     *
     * @param plan where the values live
     * @return the arena, its memory zeroed
     * @throws ProviderUnavailableException if no provider is available, the one that the property or the variable names
     *     is not, or several are equally good
     * @throws IllegalArgumentException if the plan is larger than the device's limit
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough free memory
     * @throws io.devicearena.DeviceException if the device fails
     */
    public static DeviceArena open(MemoryPlan plan) {
        return open(plan, ArenaOptions.defaults());
    }

    /**
     * Opens an arena.
     *
     * @param plan where the values live
     * @param options which provider and device, scratch and label
     * @return the arena, its memory zeroed
     * @throws ProviderUnavailableException if the requested provider or device is not available
     * @throws IllegalArgumentException if plan and scratch are larger than the device's limit
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough free memory
     * @throws io.devicearena.DeviceException if the device fails
     * @throws UnsupportedOperationException if the options ask for checks and the artifact arena-diagnostics is not
     *     there
     */
    public static DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        Objects.requireNonNull(plan, "plan");
        return open(choice(options), plan, options);
    }

    /** Opens the arena; a missing class or a missing arena is a fault of the provider, which is named. */
    static DeviceArena open(ProviderChoice.Chosen chosen, MemoryPlan plan, ArenaOptions options) {
        String call = chosen.provider().getClass().getName() + ".open()";
        try {
            return chosen.provider().openArena(chosen.device(), plan, options);
        } catch (LinkageError e) {
            throw new DeviceException(
                    call + " threw " + Candidate.text(e)
                            + "; use versions of arena-api and the provider that belong together",
                    e);
        }
    }

    /**
     * Returns the device that {@link #open(MemoryPlan, ArenaOptions)} would use. An engine that plans with
     * arena-planner passes it to {@code PlanOptions.forDevice(device)}: every value then begins where a binding may
     * begin.
     *
     * @param options which provider and device
     * @return the device
     * @throws ProviderUnavailableException if the requested provider or device is not available
     */
    public static ArenaDevice choose(ArenaOptions options) {
        return choice(options).device();
    }

    /**
     * Returns what a device offers beyond its limits and capabilities, by name, without opening it: for engines that
     * choose kernels by it, and for tools. {@code ./arena providers --facts} prints it.
     *
     * @param device a device that {@link #providers} or {@link #choose} returned
     * @return each a {@link Long}, {@link Double}, {@link Boolean} or {@link String}, in the order in which to print
     *     them; the documentation of the provider has the names. Empty if the provider has none
     * @throws IllegalArgumentException if no provider lists {@code device}
     */
    public static Map<String, Object> facts(ArenaDevice device) {
        return listing(device).facts(device);
    }

    /**
     * Returns what names the hardware of a device, the same for each provider that lists it: an address on the PCI bus
     * such as {@code pci:0000:3b:00.0}, else a UUID such as {@code uuid:01234567-89ab-cdef-0123-456789abcdef}.
     *
     * @param device a device that {@link #providers} or {@link #choose} returned
     * @return the text, or empty where the provider does not know it
     * @throws IllegalArgumentException if no provider lists {@code device}
     */
    public static Optional<String> identity(ArenaDevice device) {
        return identity(listing(device), device);
    }

    private static Optional<String> identity(Candidate candidate, ArenaDevice device) {
        return candidate.ask(provider -> provider.identity(device), Optional.empty());
    }

    /**
     * Returns the devices of all providers that are the same hardware as a device, such as one GPU that is reached
     * through two interfaces. An engine that uses several devices at once uses one of them.
     *
     * @param device a device that {@link #providers} or {@link #choose} returned
     * @return the others, in the order of {@link #providers}; empty where the {@link #identity} is not known
     * @throws IllegalArgumentException if no provider lists {@code device}
     */
    public static List<ArenaDevice> sameHardware(ArenaDevice device) {
        Optional<String> identity = identity(device);
        return identity.isEmpty()
                ? List.of()
                : candidates().stream()
                        .flatMap(candidate -> candidate.listed().stream()
                                .filter(other -> !other.equals(device)
                                        && identity(candidate, other).equals(identity)))
                        .toList();
    }

    /**
     * Returns how much memory of a device is free now: a hint for a choice, since other programs change it at any time.
     *
     * @param device a device that {@link #providers} or {@link #choose} returned
     * @return bytes, 0 or more, or empty where the provider does not know it
     * @throws IllegalArgumentException if no provider lists {@code device}
     */
    public static OptionalLong freeBytes(ArenaDevice device) {
        return listing(device).askBytes(provider -> provider.freeBytes(device));
    }

    /**
     * Returns whether an arena fits a device, and what it would take, before anything is loaded or allocated.
     *
     * @param plan where the values would live
     * @param options how the arena would be opened; its device is {@code device}
     * @param device a device that {@link #providers} or {@link #choose} returned
     * @return the figures
     * @throws IllegalArgumentException if no provider lists {@code device}
     */
    public static ArenaFit fit(MemoryPlan plan, ArenaOptions options, ArenaDevice device) {
        Candidate candidate = listing(device);
        return new ArenaFit(
                device,
                plan.arenaSize(),
                options.scratchBytes(),
                candidate.ask(provider -> provider.overhead(device, plan, options), ArenaOverhead.NONE),
                candidate.askBytes(provider -> provider.totalBytes(device)),
                candidate.askBytes(provider -> provider.freeBytes(device)));
    }

    private static Candidate listing(ArenaDevice device) {
        Objects.requireNonNull(device, "device");
        return candidates().stream()
                .filter(candidate -> candidate.lists(device))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("device: expected one that a provider lists, got '"
                        + device.name() + "' of provider '" + device.provider()
                        + "'; pass a device that providers() or choose() returned"));
    }

    private static ProviderChoice.Chosen choice(ArenaOptions options) {
        Objects.requireNonNull(options, "options");
        Optional<ArenaDevice> weights = options.weights().map(DeviceArena::device);
        return new ProviderChoice(candidates())
                .choose(
                        options.provider()
                                .or(() -> weights.map(ArenaDevice::provider))
                                .or(() -> wantedProvider(options, Settings.ofProcess())),
                        options.device().or(() -> weights.map(device -> new DeviceSelector.ByIndex(device.index()))));
    }

    /** Returns the provider that the caller names, else the one of the settings. */
    static Optional<String> wantedProvider(ArenaOptions options, Settings settings) {
        return options.provider().or(() -> settings.find(PROVIDER_PROPERTY).map(Settings.Setting::value));
    }
}
