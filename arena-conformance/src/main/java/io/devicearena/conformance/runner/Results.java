package io.devicearena.conformance.runner;

import io.devicearena.ArenaDevice;
import io.devicearena.conformance.junit.ClauseListener;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a run tests, where its report goes, and its results so far. */
final class Results implements ClauseListener {
    final List<DeviceArenaProvider> providers;
    final Optional<Path> folder;
    private final ConformanceProgress progress;
    private final long expected;
    private final List<Tested> results = new ArrayList<>();

    /** What one clause was tested on, and how it ended. */
    private record Tested(Subject subject, ClauseResult result) {}

    Results(List<FoundProvider> chosen, Optional<Path> folder, ConformanceProgress progress, long expected) {
        this.providers = chosen.stream().flatMap(one -> one.provider().stream()).toList();
        this.folder = folder;
        this.progress = progress;
        this.expected = expected;
    }

    /** Names the clause in the report, for a process that does not reach the end of the run. */
    @Override
    public void clauseBegins(String where) throws IOException {
        if (folder.isPresent()) {
            Files.writeString(folder.get().resolve(HtmlReport.FILE), HtmlReport.unfinished(where));
        }
    }

    @Override
    public void clauseEnds(Subject subject, ClauseResult result) {
        results.add(new Tested(subject, result));
        progress.clauseDone(
                subject.providerName() + " " + result.clause().id() + " "
                        + result.clause().name(),
                results.size(),
                Math.max(results.size(), expected));
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
