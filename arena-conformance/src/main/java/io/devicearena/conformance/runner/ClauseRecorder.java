package io.devicearena.conformance.runner;

import io.devicearena.conformance.Clause;
import io.devicearena.conformance.ClauseSkippedException;
import io.devicearena.conformance.ConformanceTopic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Hears from JUnit what became of each clause, and hands it to the run. */
final class ClauseRecorder implements BeforeTestExecutionCallback, TestWatcher {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(ClauseRecorder.class);

    /** The innermost calls tell where a test failed; those of JUnit below them tell nothing. */
    private static final int TRACE_LINES = 24;

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        context.getStore(OURS).put("started", System.nanoTime());
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        record(context, Outcome.PASSED, "", "");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        record(context, Outcome.FAILED, messageOf(cause), trace(cause));
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        Outcome outcome =
                cause instanceof ClauseSkippedException skipped ? Outcome.of(skipped.reason()) : Outcome.LEFT_OUT;
        record(context, outcome, messageOf(cause), "");
    }

    private static void record(ExtensionContext context, Outcome outcome, String message, String trace) {
        ChosenProviders.Run run = ChosenProviders.run();
        if (run == null) {
            return; // somebody's own launcher runs the class; its reports have the results
        }
        Clause clause = Clause.ofTest(context.getRequiredTestMethod().getName()).orElseThrow();
        long started =
                Objects.requireNonNullElseGet(context.getStore(OURS).get("started", Long.class), System::nanoTime);
        Duration duration = Duration.ofNanos(System.nanoTime() - started);
        ConformanceTopic test = (ConformanceTopic) context.getRequiredTestInstance();
        run.results().add(test.subject(), new ClauseResult(clause, outcome, message, trace, duration));
    }

    private static String messageOf(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static String trace(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        return text.toString()
                .lines()
                .filter(line -> !line.contains("org.junit.") && !line.contains("java.lang.reflect."))
                .limit(TRACE_LINES)
                .collect(Collectors.joining("\n"));
    }
}
