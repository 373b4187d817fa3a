package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceSelector;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Chooses a device among those of all providers. */
final class ProviderChoice {
    /** Highest priority first, then the kind that is usually preferred. */
    private static final Comparator<ArenaDevice> BEST_FIRST = Comparator.comparingInt(ArenaDevice::priority)
            .thenComparingInt(device -> device.kind().priority())
            .reversed();

    private final List<Candidate> candidates;

    ProviderChoice(List<Candidate> candidates) {
        this.candidates = candidates;
    }

    /** A provider and one of its devices. */
    record Chosen(DeviceArenaProvider provider, ArenaDevice device) {}

    /** Chooses the best device. */
    Chosen choose(Optional<String> name, Optional<DeviceSelector> selector) {
        // Only a named provider is probed: a program that wants the CPU does not wait for a GPU driver to load.
        List<Candidate> eligible = candidates.stream()
                .filter(candidate -> name.isEmpty() || candidate.name().equals(name.get()))
                .toList();
        List<Chosen> ordered = eligible.stream()
                .flatMap(candidate -> candidate.probe() instanceof Availability.Ready ready
                        ? ready.devices().stream()
                                .map(device -> new Chosen(
                                        Objects.requireNonNull(candidate.provider(), "a ready provider"), device))
                        : null)
                .filter(chosen -> selector.isEmpty() || selector.get().matches(chosen.device()))
                .sorted(Comparator.comparing(Chosen::device, BEST_FIRST)) // stable: by index within a provider
                .toList();
        if (ordered.isEmpty()) {
            throw new ProviderUnavailableException(describeFailure(name, selector));
        }
        requireOneProvider(ordered);
        return ordered.getFirst();
    }

    /** Which of two providers is better cannot depend on their names or on the order of the path. */
    private static void requireOneProvider(List<Chosen> ordered) {
        ArenaDevice best = ordered.getFirst().device();
        List<ArenaDevice> equals = ordered.stream()
                .map(Chosen::device)
                .filter(device -> BEST_FIRST.compare(best, device) == 0)
                .toList();
        if (equals.stream().anyMatch(device -> !device.provider().equals(best.provider()))) {
            throw new ProviderUnavailableException(equals.stream()
                    .map(device -> "\n  " + device.provider() + ": " + device.index() + " '" + device.name() + "'")
                    .sorted()
                    .collect(Collectors.joining(
                            "",
                            "providers: expected one with the best device, got several with equally good ones"
                                    + " (priority " + best.priority() + "); choose one with withProvider, the property "
                                    + DeviceArenas.PROVIDER_PROPERTY + " or the variable "
                                    + DeviceArenas.PROVIDER_VARIABLE + ". They are:",
                            "")));
        }
    }

    private String describeFailure(Optional<String> name, Optional<DeviceSelector> selector) {
        String device = selector.map(text -> " with a device of " + text).orElse("");
        String what = name.map(text -> "provider '" + text + "'" + device + " is not available")
                .orElse("no provider" + device + " is available");
        if (candidates.isEmpty()) {
            return what + ". None was found; add one to the class path or module path, for example arena-cpu";
        }
        return candidates.stream()
                .map(ProviderChoice::line)
                .collect(Collectors.joining("", what + ". Providers found:", ""));
    }

    private static String line(Candidate candidate) {
        ProviderReport report = candidate.report();
        return "\n  " + report.name() + ": "
                + switch (report.availability()) {
                    case Availability.Ready ready ->
                        "available with "
                                + ready.devices().stream()
                                        .map(device -> device.index() + " '" + device.name() + "'")
                                        .collect(Collectors.joining(", "));
                    case Availability.Missing missing -> "not available, " + missing.reason() + "; " + missing.remedy();
                };
    }
}
