package io.devicearena.conformance.runner;

import io.devicearena.ArenaDevice;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of a run, by what was tested. */
final class Results {
    private final ConformanceProgress progress;
    private final long expected;
    /** By identity: a provider's own equals may be wrong. */
    private final IdentityHashMap<DeviceArenaProvider, Map<Optional<ArenaDevice>, List<ClauseResult>>> results =
            new IdentityHashMap<>();

    private long done;

    Results(ConformanceProgress progress, long expected) {
        this.progress = progress;
        this.expected = expected;
    }

    void add(Subject subject, ClauseResult result) {
        results.computeIfAbsent(subject.provider(), provider -> new LinkedHashMap<>())
                .computeIfAbsent(subject.device(), device -> new ArrayList<>())
                .add(result);
        done++;
        progress.clauseDone(
                subject.providerName() + " " + result.clause().id() + " "
                        + result.clause().name(),
                done,
                Math.max(done, expected));
    }

    /** The results of one provider, a device each. */
    List<DeviceResult> of(FoundProvider found) {
        List<DeviceResult> devices = new ArrayList<>();
        found.provider()
                .map(provider -> results.getOrDefault(provider, Map.of()))
                .ifPresent(tested -> tested.forEach((device, clauses) -> devices.add(new DeviceResult(
                        found.report().name(),
                        device,
                        clauses.stream()
                                .sorted(Comparator.comparing(ClauseResult::clause))
                                .toList()))));
        return devices;
    }
}
