package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A provider that was found, or a placeholder for one that failed to load. Its methods never throw what the provider
 * throws, errors of the virtual machine included: a failing provider is reported as missing, with its class. The
 * provider is asked for its name, its SPI version and its devices once. Threads: safe for any thread.
 */
final class Candidate {
    private static final String REPORT = "report this to the provider's author";
    private static final String UPDATE =
            "use versions of arena-api and the provider that belong together, or remove the provider from the path";

    /** Visible characters: others cannot be written in a setting. */
    private static final Pattern NAME = Pattern.compile("\\p{Graph}+", Pattern.UNICODE_CHARACTER_CLASS);

    /** Causes of causes may form a circle. */
    private static final int MAX_CAUSES = 100;

    private final String name;
    private final String implementation;
    private final @Nullable DeviceArenaProvider provider;
    private final ReentrantLock probing = new ReentrantLock();
    private @Nullable Availability answer;

    private Candidate(
            String name,
            String implementation,
            @Nullable DeviceArenaProvider provider,
            Availability.@Nullable Missing answer) {
        this.name = name;
        this.implementation = implementation;
        this.provider = provider;
        this.answer = answer;
    }

    static Candidate of(DeviceArenaProvider provider) {
        String implementation = provider.getClass().getName();
        String name;
        try {
            name = provider.name();
        } catch (Throwable e) { // one failing provider must not stop the others
            return unusable(implementation, implementation, implementation + ".name() threw " + text(e), UPDATE);
        }
        if (name == null || !NAME.matcher(name).matches()) {
            return unusable(
                    implementation,
                    implementation,
                    implementation + ".name(): expected visible characters, got "
                            + (name == null ? "null" : "'" + name + "'"),
                    REPORT);
        }
        int version;
        try {
            version = provider.spiVersion();
        } catch (Throwable e) { // as above
            return unusable(name, implementation, implementation + ".spiVersion() threw " + text(e), UPDATE);
        }
        if (version != SpiVersion.CURRENT) {
            return unusable(
                    name,
                    implementation,
                    "it was built for version " + version + " of the provider SPI, and this arena-api has version "
                            + SpiVersion.CURRENT,
                    version > SpiVersion.CURRENT
                            ? "use an arena-api that is as new as the provider"
                            : "use versions of arena-api and the provider that belong together");
        }
        return new Candidate(name, implementation, provider, null);
    }

    static Candidate unusable(String name, String implementation, String reason, String remedy) {
        return new Candidate(name, implementation, null, new Availability.Missing(reason, remedy));
    }

    /** An error and what caused it first, which often says more. */
    static String text(Throwable failure) {
        Throwable root = failure;
        for (int i = 0; i < MAX_CAUSES && root.getCause() != null; i++) {
            root = root.getCause();
        }
        try {
            return failure.getCause() == null ? failure.toString() : failure + ", caused by " + root;
        } catch (Throwable e) { // an exception of the provider, which may also fail to describe itself
            return failure.getClass().getName();
        }
    }

    /** The provider's name, or its class name when {@code name()} failed. */
    String name() {
        return name;
    }

    /** The class name. */
    String implementation() {
        return implementation;
    }

    /** The provider, or null when it is unusable. */
    @Nullable DeviceArenaProvider provider() {
        return provider;
    }

    /**
     * Probes the provider, or returns the answer of the first probe. Calls of other threads wait for that. A thread
     * that is interrupted may have ended the probe early, so that its answer holds for this call only.
     */
    Availability probe() {
        probing.lock();
        try {
            Availability known = answer;
            if (known == null) {
                known = probe(Objects.requireNonNull(provider, "one without is unusable, and says so"));
                if (!Thread.currentThread().isInterrupted()) {
                    answer = known;
                }
            }
            return known;
        } finally {
            probing.unlock();
        }
    }

    private Availability probe(DeviceArenaProvider asked) {
        Availability got;
        try {
            got = asked.probe();
        } catch (Throwable e) { // one failing provider must not stop the others
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return new Availability.Missing(
                    implementation + ".probe() threw " + text(e), REPORT + "; a probe must not throw");
        }
        if (got == null) {
            return new Availability.Missing(implementation + ".probe(): expected an answer, got null", REPORT);
        }
        if (got instanceof Availability.Ready ready) {
            for (ArenaDevice device : ready.devices()) {
                if (!device.provider().equals(name)) {
                    return new Availability.Missing(
                            implementation + ".probe(): expected devices of provider '" + name + "', got device "
                                    + device.index() + " '" + device.name() + "' of provider '" + device.provider()
                                    + "'",
                            REPORT);
                }
            }
        }
        return got;
    }

    /** Whether the provider lists a device. */
    boolean lists(ArenaDevice device) {
        return name.equals(device.provider()) && listed().contains(device);
    }

    /** The devices that the provider lists. */
    List<ArenaDevice> listed() {
        return probe() instanceof Availability.Ready ready ? ready.devices() : List.of();
    }

    /** The facts of a device that the provider lists, of the types that facts have; none if it fails. */
    Map<String, Object> facts(ArenaDevice device) {
        return ask(asked -> known(asked.facts(device)), Map.of());
    }

    private static Map<String, Object> known(Map<String, Object> facts) {
        Map<String, Object> known = new LinkedHashMap<>(facts);
        known.entrySet()
                .removeIf(fact -> fact.getKey() == null
                        || !(fact.getValue() instanceof Long
                                || fact.getValue() instanceof Double
                                || fact.getValue() instanceof Boolean
                                || fact.getValue() instanceof String));
        return Collections.unmodifiableMap(known);
    }

    /** A number of bytes that the provider says; empty if it does not say or fails. */
    OptionalLong askBytes(Function<DeviceArenaProvider, OptionalLong> question) {
        OptionalLong bytes = ask(question, OptionalLong.empty());
        return bytes.isPresent() && bytes.getAsLong() >= 0 ? bytes : OptionalLong.empty();
    }

    /** The provider's answer, or the other one if it fails: without the answer the device still works. */
    <T> T ask(Function<DeviceArenaProvider, ? extends @Nullable T> question, T unknown) {
        try {
            T got = provider == null ? null : question.apply(provider);
            return got == null ? unknown : got;
        } catch (Throwable e) { // the question is for people and tools; its probe reports what is wrong with it
            return unknown;
        }
    }

    ProviderReport report() {
        return new ProviderReport(name, implementation, probe());
    }
}
