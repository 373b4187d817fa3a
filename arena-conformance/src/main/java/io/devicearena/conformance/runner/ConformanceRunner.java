package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.Clause;
import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Runs every clause of the kit on every device of the providers on the path, outside a build.
 *
 * <p><b>Threads:</b> static; one thread at a time, since the log of the library is kept off the console during the run.
 */
public final class ConformanceRunner {
    private ConformanceRunner() {}

    /**
     * Runs the kit. With a report folder it writes {@code index.html}, a self-contained page;
     * {@code open-test-report.xml}; and {@code TEST-junit-jupiter.xml}, for older tools, which does not separate
     * devices.
     *
     * @param request what to test, and what must be there
     * @param progress called after each clause
     * @return the result; failures and missing providers are in it, not thrown
     * @throws ProviderUnavailableException if the request names a provider to test and none of that name is found
     * @throws IOException if the report cannot be written
     */
    public static ConformanceReport run(ConformanceRequest request, ConformanceProgress progress) throws IOException {
        return run(FoundProvider.onThePath(), clause -> true, request, progress);
    }

    static ConformanceReport run(
            List<FoundProvider> found,
            Predicate<Clause> wanted,
            ConformanceRequest request,
            ConformanceProgress progress)
            throws IOException {
        List<String> tests = ChosenProviders.tests(wanted);
        List<FoundProvider> chosen = choose(found, request.provider());
        Instant started = Instant.now();
        long startedNanos = System.nanoTime();
        List<String> problems = new ArrayList<>(missing(found, request.required()));
        Results results = new Results(progress, expected(chosen, tests));
        Optional<ReportFolder> folder = Optional.empty();
        if (request.reportFolder().isPresent()) {
            folder = Optional.of(ReportFolder.make(request.reportFolder().get()));
        }
        List<DeviceArenaProvider> providers =
                chosen.stream().flatMap(one -> one.provider().stream()).toList();
        problems.addAll(KitLaunch.run(tests, new ChosenProviders.Run(providers, results, folder)));
        List<ProviderResult> tested = chosen.stream()
                .map(one -> new ProviderResult(one.report(), results.of(one)))
                .toList();
        problems.addAll(refused(chosen, tested, request.required()));
        if (problems.isEmpty() && !results.areAny()) {
            problems.add("no clause was tested");
        }
        Duration duration = Duration.ofNanos(System.nanoTime() - startedNanos);
        ConformanceReport report = new ConformanceReport(tested, problems, Environment.here(), started, duration);
        if (folder.isPresent()) {
            folder.get().write(report);
        }
        return report;
    }

    private static List<FoundProvider> choose(List<FoundProvider> found, Optional<String> name) {
        List<FoundProvider> chosen = found.stream()
                .filter(one -> name.isEmpty() || one.report().name().equals(name.get()))
                .toList();
        if (chosen.isEmpty() && name.isPresent()) {
            throw new ProviderUnavailableException("provider '" + name.get() + "' was not found. Providers found: "
                    + names(found) + "; put its jar on the path");
        }
        return chosen;
    }

    private static String names(List<FoundProvider> found) {
        return found.isEmpty()
                ? "none"
                : found.stream().map(one -> one.report().name()).collect(Collectors.joining(", "));
    }

    private static List<String> missing(List<FoundProvider> found, List<String> required) {
        List<String> problems = new ArrayList<>();
        for (String name : required) {
            List<FoundProvider> named = found.stream()
                    .filter(one -> one.report().name().equals(name))
                    .toList();
            if (named.isEmpty()) {
                problems.add("required provider '" + name + "' was not found. Providers found: " + names(found)
                        + "; put its jar on the path");
            }
            for (FoundProvider one : named) {
                one.absence()
                        .ifPresent(absence ->
                                problems.add("required provider '" + name + "' is not available: " + absence));
            }
        }
        return problems;
    }

    /** Providers that could not be instantiated, or that the library refuses although their probe lists devices. */
    private static List<String> refused(
            List<FoundProvider> chosen, List<ProviderResult> tested, List<String> required) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            boolean testedOnADevice = tested.get(i).devices().stream()
                    .anyMatch(device -> device.device().isPresent());
            FoundProvider one = chosen.get(i);
            boolean reported = required.contains(one.report().name());
            if (!reported && (one.provider().isEmpty() || testedOnADevice)) {
                one.absence()
                        .ifPresent(absence -> problems.add("provider '"
                                + one.report().name() + "' (" + one.report().implementation()
                                + ") cannot be used: " + absence));
            }
        }
        return problems;
    }

    /** How many results there will be, unless the kit refuses the run. */
    private static long expected(List<FoundProvider> chosen, List<String> tests) {
        return chosen.stream()
                .filter(one -> one.provider().isPresent())
                .mapToLong(one -> (long) tests.size() * Math.max(one.devices(), 1))
                .sum();
    }
}
