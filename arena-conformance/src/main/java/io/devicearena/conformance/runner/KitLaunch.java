package io.devicearena.conformance.runner;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Logger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

/** One call of the JUnit platform. */
final class KitLaunch {
    private KitLaunch() {}

    /**
     * Runs tests of the kit.
     *
     * @param tests the names of the methods
     * @param run what is tested, and where the results go
     * @return failures outside of clauses, a line each
     */
    static List<String> run(List<String> tests, Results run) {
        List<String> problems = new ArrayList<>();
        List<TestExecutionListener> listeners = new ArrayList<>();
        listeners.add(new ContainerFailures(problems));
        StringWriter faults = new StringWriter();
        run.folder.ifPresent(
                one -> listeners.add(new LegacyXmlReportGeneratingListener(one, new PrintWriter(faults, true))));
        Logger log = Logger.getLogger("io.devicearena"); // kept here: an unreferenced logger loses its settings
        boolean console = log.getUseParentHandlers();
        log.setUseParentHandlers(false);
        try (LauncherSession session = LauncherFactory.openSession()) {
            ChosenProviders.during(
                    run,
                    () -> session.getLauncher()
                            .execute(request(tests, run.folder), listeners.toArray(TestExecutionListener[]::new)));
        } finally {
            log.setUseParentHandlers(console);
        }
        if (!faults.toString().isBlank()) {
            problems.add("the report could not be written: " + faults.toString().strip());
        }
        return problems;
    }

    private static LauncherDiscoveryRequest request(List<String> tests, Optional<Path> folder) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests.stream()
                        .map(test -> DiscoverySelectors.selectMethod(ChosenProviders.class, test))
                        .toList())
                // the runner reports missing providers, one line each instead of one for each clause
                .configurationParameter("devicearena.require", "")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        folder.ifPresent(one -> request.configurationParameter("junit.platform.reporting.open.xml.enabled", "true")
                .configurationParameter("junit.platform.reporting.output.dir", one.toString()));
        return request.build();
    }

    /** Records failures before or around the clauses, such as a run without any provider. */
    private record ContainerFailures(List<String> problems) implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isContainer()) {
                result.getThrowable()
                        .ifPresent(thrown ->
                                problems.add(thrown.getMessage() == null ? thrown.toString() : thrown.getMessage()));
            }
        }
    }
}
