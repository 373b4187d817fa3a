package io.devicearena.conformance.runner;

import io.devicearena.conformance.DiscoveredProvidersConformance;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.ClauseListener;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The test class that the runner runs: every clause on the providers it chose. JUnit instantiates it, so its
 * configuration is bound to the thread that calls JUnit.
 */
final class ChosenProviders extends DiscoveredProvidersConformance implements ClauseListener {
    private static final ThreadLocal<Results> RUN = new ThreadLocal<>();

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
    static void during(Results run, Runnable work) {
        RUN.set(run);
        try {
            work.run();
        } finally {
            RUN.remove();
        }
    }

    @Override
    protected List<DeviceArenaProvider> providers() {
        Results run = RUN.get();
        return run == null ? super.providers() : run.providers;
    }

    @Override
    public void clauseBegins(String where) throws IOException {
        Results run = RUN.get();
        if (run != null) {
            run.clauseBegins(where);
        }
    }

    @Override
    public void clauseEnds(Subject subject, ClauseResult result) {
        Results run = RUN.get();
        if (run != null) { // else another launcher runs the class; its reports have the results
            run.clauseEnds(subject, result);
        }
    }
}
