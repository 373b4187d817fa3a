package io.devicearena.conformance.runner;

import io.devicearena.conformance.DiscoveredProvidersConformance;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test class that the runner runs: every clause on the providers it chose. JUnit instantiates it, so its
 * configuration is bound to the thread that calls JUnit.
 */
@ExtendWith(ClauseRecorder.class)
final class ChosenProviders extends DiscoveredProvidersConformance {
    private static final ThreadLocal<Run> RUN = new ThreadLocal<>();

    /** What is tested, and where the results and the report go. */
    record Run(List<DeviceArenaProvider> providers, Results results, Optional<ReportFolder> folder) {}

    /** Called by JUnit. */
    ChosenProviders() {}

    /** The names of its tests, those of the wanted clauses. */
    static List<String> tests(Predicate<Clause> wanted) {
        return Arrays.stream(ChosenProviders.class.getMethods())
                .map(Method::getName)
                .filter(name -> Clause.ofTest(name).filter(wanted).isPresent())
                .distinct()
                .toList();
    }

    /** Runs some work during which JUnit, called by this thread, tests the providers. */
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
