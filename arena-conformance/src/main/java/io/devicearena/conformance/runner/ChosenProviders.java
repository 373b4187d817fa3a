package io.devicearena.conformance.runner;

import io.devicearena.conformance.Clause;
import io.devicearena.conformance.DiscoveredProvidersConformance;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test class that the runner runs: every clause on the providers it chose. JUnit makes it, so what it shall do
 * travels with the thread that calls JUnit.
 */
@ExtendWith(ClauseRecorder.class)
final class ChosenProviders extends DiscoveredProvidersConformance {
    private static final ThreadLocal<Run> RUN = new ThreadLocal<>();

    /** What is tested, and who keeps the results. */
    record Run(List<DeviceArenaProvider> providers, ResultSink results) {}

    /** Makes the test; JUnit does. */
    ChosenProviders() {}

    /** The names of its tests, those of the wanted clauses. */
    static List<String> tests(Predicate<Clause> wanted) {
        return Arrays.stream(ChosenProviders.class.getMethods())
                .map(Method::getName)
                .filter(name -> Clause.ofTest(name).filter(wanted).isPresent())
                .distinct()
                .toList();
    }

    /** Does some work in which JUnit, called by this thread, tests the providers. */
    static void during(Run run, Runnable work) {
        RUN.set(run);
        try {
            work.run();
        } finally {
            RUN.remove();
        }
    }

    static @Nullable Run run() {
        return RUN.get();
    }

    @Override
    protected List<DeviceArenaProvider> providers() {
        Run run = RUN.get();
        return run == null ? super.providers() : run.providers();
    }
}
