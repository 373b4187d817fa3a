package io.devicearena.conformance.runner;

import io.devicearena.ArenaDevice;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Subject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The results of a run, by what was tested. */
final class Results {
    private static final Set<Outcome> TESTED = EnumSet.of(Outcome.PASSED, Outcome.FAILED);

    private final ConformanceProgress progress;
    private final long expected;
    private final List<Tested> results = new ArrayList<>();

    /** What one clause was tested on, and how it ended. */
    private record Tested(Subject subject, ClauseResult result) {}

    Results(ConformanceProgress progress, long expected) {
        this.progress = progress;
        this.expected = expected;
    }

    void add(Subject subject, ClauseResult result) {
        results.add(new Tested(subject, result));
        progress.clauseDone(
                subject.providerName() + " " + result.clause().id() + " "
                        + result.clause().name(),
                results.size(),
                Math.max(results.size(), expected));
    }

    /** Whether some clause passed or failed. */
    boolean areAny() {
        return results.stream().anyMatch(one -> TESTED.contains(one.result.outcome()));
    }

    /** The results of one provider, a device each. */
    @SuppressWarnings("ReferenceEquality") // a provider's own equals may be wrong
    List<DeviceResult> of(FoundProvider found) {
        Map<Optional<ArenaDevice>, List<ClauseResult>> tested = new LinkedHashMap<>();
        results.stream()
                .filter(one -> found.provider()
                        .filter(provider -> provider == one.subject.provider())
                        .isPresent())
                .forEach(one -> tested.computeIfAbsent(one.subject.device(), device -> new ArrayList<>())
                        .add(one.result));
        return tested.entrySet().stream()
                .map(one -> new DeviceResult(found.report().name(), one.getKey(), one.getValue()))
                .toList();
    }
}
