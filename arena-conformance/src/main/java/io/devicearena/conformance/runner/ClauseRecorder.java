package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.ClauseSkippedException;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.topics.ConformanceTopic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Records the outcome of each clause for the run. */
final class ClauseRecorder implements BeforeTestExecutionCallback, TestWatcher {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(ClauseRecorder.class);

    /** Enough for the threads of a hang; a stack that overflowed has thousands of lines. */
    private static final int MOST_TRACE_LINES = 600;

    @Override
    public void beforeTestExecution(ExtensionContext context) throws IOException {
        ChosenProviders.Run run = ChosenProviders.run();
        if (run != null && run.folder().isPresent()) {
            run.folder()
                    .get()
                    .writeUnfinished("clause " + clause(context).id() + " "
                            + clause(context).name() + ", " + subject(context));
        }
        context.getStore(OURS).put("started", System.nanoTime());
    }

    private static Clause clause(ExtensionContext context) {
        return Clause.ofTest(context.getRequiredTestMethod().getName()).orElseThrow();
    }

    private static Subject subject(ExtensionContext context) {
        return ((ConformanceTopic) context.getRequiredTestInstance()).subject();
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        record(context, Outcome.PASSED, ((ChosenProviders) context.getRequiredTestInstance()).tries(), "");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        record(
                context,
                Outcome.FAILED,
                messageOf(cause),
                trace(cause, context.getRequiredTestMethod().getName()));
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
            return; // another launcher runs the class; its reports have the results
        }
        long started =
                Objects.requireNonNullElseGet(context.getStore(OURS).get("started", Long.class), System::nanoTime);
        Duration duration = Duration.ofNanos(System.nanoTime() - started);
        run.results().add(subject(context), new ClauseResult(clause(context), outcome, message, trace, duration));
    }

    private static String messageOf(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Where a test failed: every stack down to the test's own frame, without the calls that lead to each test. */
    private static String trace(Throwable thrown, String test) {
        Throwable cause =
                thrown.getCause() == null ? thrown : thrown.getCause(); // the kit puts its own message around it
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        List<String> kept = new ArrayList<>();
        boolean within = true;
        for (String line : text.toString().lines().toList()) {
            boolean frame = line.startsWith("\tat ");
            if (!frame || within) {
                kept.add(line);
            }
            within = !frame || (within && !line.contains("." + test + "("));
        }
        return String.join("\n", kept.subList(0, Math.min(kept.size(), MOST_TRACE_LINES)));
    }
}
