package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Tally;
import io.devicearena.discovery.ProviderUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        Optional<Path> folder = request.reportFolder().map(Path::toAbsolutePath);
        if (folder.isPresent()) {
            Files.createDirectories(folder.get());
        }
        Results results = new Results(chosen, folder, progress, expected(chosen, tests));
        List<String> problems = KitLaunch.run(tests, results);
        List<ProviderResult> tested = chosen.stream()
                .map(one -> new ProviderResult(one.report(), results.of(one)))
                .toList();
        for (FoundProvider one : found) {
            problem(one, chosen, results, request.required()).ifPresent(problems::add);
        }
        for (String name : request.required()) {
            if (named(found, name).isEmpty()) {
                problems.add("required provider " + notFound(name, found));
            }
        }
        Stream<Tally> tallies = tested.stream().map(ProviderResult::tally);
        if (problems.isEmpty() && tallies.allMatch(one -> one.count(Outcome.PASSED) + one.count(Outcome.FAILED) == 0)) {
            problems.add("no clause was tested");
        }
        Duration duration = Duration.ofNanos(System.nanoTime() - startedNanos);
        ConformanceReport report = new ConformanceReport(tested, problems, Environment.here(), started, duration);
        if (folder.isPresent()) {
            Files.writeString(folder.get().resolve(HtmlReport.FILE), HtmlReport.of(report, Specification.shipped()));
        }
        return report;
    }

    private static List<FoundProvider> choose(List<FoundProvider> found, Optional<String> name) {
        List<FoundProvider> chosen = name.map(one -> named(found, one)).orElse(found);
        if (chosen.isEmpty() && name.isPresent()) {
            throw new ProviderUnavailableException("provider " + notFound(name.get(), found));
        }
        return chosen;
    }

    private static List<FoundProvider> named(List<FoundProvider> found, String name) {
        return found.stream().filter(one -> one.report().name().equals(name)).toList();
    }

    private static String notFound(String name, List<FoundProvider> found) {
        String names = found.isEmpty()
                ? "none"
                : found.stream().map(one -> one.report().name()).collect(Collectors.joining(", "));
        return "'" + name + "' was not found. Providers found: " + names + "; put its jar on the path";
    }

    /**
     * What is wrong with a provider that is not available: it is required, could not be made, or is refused by the
     * library although its probe lists devices.
     */
    private static Optional<String> problem(
            FoundProvider one, List<FoundProvider> chosen, Results results, List<String> required) {
        String name = one.report().name();
        if (required.contains(name)) {
            return one.absence().map(absence -> "required provider '" + name + "' is not available: " + absence);
        }
        boolean isTested =
                results.of(one).stream().anyMatch(device -> device.device().isPresent());
        return one.absence()
                .filter(absence -> chosen.contains(one) && (one.provider().isEmpty() || isTested))
                .map(absence ->
                        "provider '" + name + "' (" + one.report().implementation() + ") cannot be used: " + absence);
    }

    /** How many results there will be, unless the kit refuses the run. */
    private static long expected(List<FoundProvider> chosen, List<String> tests) {
        return chosen.stream()
                .filter(one -> one.provider().isPresent())
                .mapToLong(one -> (long) tests.size() * Math.max(one.devices(), 1))
                .sum();
    }
}
