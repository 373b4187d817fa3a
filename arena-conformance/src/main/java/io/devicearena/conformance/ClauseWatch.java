package io.devicearena.conformance;

import static java.util.stream.Collectors.joining;

import io.devicearena.conformance.junit.ClauseListener;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.ClauseSkippedException;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.junit.Tally;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * What happens around the tests on one device. It puts clause, provider and device in front of every failure, so that
 * one line of a report identifies it; takes the stacks of all threads when a test has not ended in time, before JUnit
 * interrupts it; keeps every outcome for a test class that listens; and publishes their counts after the last one.
 */
final class ClauseWatch
        implements BeforeTestExecutionCallback,
                AfterTestExecutionCallback,
                TestExecutionExceptionHandler,
                PreInterruptCallback,
                TestWatcher,
                AfterClassTemplateInvocationCallback {
    /** The key of the report entry of a clause that says how often it tried, and how often it met what it is after. */
    static final String TRIES = "tries";

    /** Enough for the threads of a hang; a stack that overflowed has thousands of lines. */
    private static final int MOST_TRACE_LINES = 600;

    private static final System.Logger LOG = System.getLogger("io.devicearena.conformance");

    private final Subject subject;
    private final List<ClauseResult> results = new ArrayList<>();
    private volatile @Nullable Throwable hang;
    private long started = System.nanoTime();

    ClauseWatch(Subject subject) {
        this.subject = subject;
    }

    /** What is tested, for messages and files: the clause, or a test that an author added, and the device. */
    private String where(ExtensionContext test) {
        return ClauseOrder.shown(test.getRequiredTestMethod()) + ", " + subject;
    }

    private static Optional<ClauseListener> listener(ExtensionContext context) {
        return context.getTestInstance()
                .filter(ClauseListener.class::isInstance)
                .map(ClauseListener.class::cast);
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) throws IOException {
        RunningClause.write(context, where(context));
        Optional<ClauseListener> listener = listener(context);
        if (listener.isPresent()) {
            listener.get().clauseBegins(where(context));
        }
        started = System.nanoTime();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws IOException {
        RunningClause.delete(context);
        String tries = tries(context);
        if (!tries.isEmpty()) {
            context.publishReportEntry(TRIES, tries);
        }
    }

    private static String tries(ExtensionContext context) {
        return ((ConformanceRun) context.getRequiredTestInstance()).tries();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        if (thrown instanceof TestAbortedException || thrown instanceof VirtualMachineError) {
            throw thrown;
        }
        String where = where(context) + ": ";
        Throwable hung = hang;
        hang = null;
        if (hung != null) {
            throw new AssertionFailedError(
                    where + "expected an end in time, got none; the stacks of all threads are below", hung);
        }
        String message = where + (thrown instanceof AssertionError ? thrown.getMessage() : "threw " + thrown);
        throw thrown instanceof AssertionFailedError failed && failed.isExpectedDefined()
                ? new AssertionFailedError(message, failed.getExpected(), failed.getActual(), failed)
                : new AssertionFailedError(message, thrown);
    }

    @Override
    public void beforeThreadInterrupt(PreInterruptContext context, ExtensionContext test) {
        Thread hung = context.getThreadToInterrupt();
        Throwable all = stack("the test hangs; its thread is ", hung, hung.getStackTrace());
        Thread.getAllStackTraces().entrySet().stream()
                .filter(one -> !one.getKey().equals(hung))
                .sorted(Map.Entry.comparingByKey(Comparator.comparingLong(Thread::threadId)))
                .forEach(one -> all.addSuppressed(stack("", one.getKey(), one.getValue())));
        hang = all;
    }

    private static Throwable stack(String what, Thread thread, StackTraceElement[] stack) {
        Throwable shown = new IllegalStateException(what + "'" + thread.getName() + "' (" + thread.getState() + ")");
        shown.setStackTrace(stack);
        return shown;
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        ended(context, Outcome.PASSED, tries(context), "");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        ended(context, Outcome.FAILED, message(cause), trace(cause, context.getRequiredTestMethod()));
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        Outcome outcome = cause instanceof ClauseSkippedException skipped ? skipped.outcome() : Outcome.LEFT_OUT;
        ended(context, outcome, message(cause), "");
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        ended(context, Outcome.LEFT_OUT, reason.orElse("disabled"), "");
    }

    private void ended(ExtensionContext context, Outcome outcome, String message, String trace) {
        Duration duration = Duration.ofNanos(System.nanoTime() - started);
        ClauseResult result = new ClauseResult(
                ClauseOrder.clause(context.getRequiredTestMethod()), outcome, message, trace, duration);
        results.add(result);
        listener(context).ifPresent(one -> one.clauseEnds(subject, result));
    }

    private static String message(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Where a test failed: every stack down to the test's own frame, without the calls that lead to each test. */
    private static String trace(Throwable thrown, Method test) {
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause(); // the kit's own message is around it
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        List<String> kept = new ArrayList<>();
        boolean within = true;
        for (String line : text.toString().lines().toList()) {
            boolean frame = line.startsWith("\tat ");
            if (!frame || within) {
                kept.add(line);
            }
            within = !frame || (within && !line.contains("." + test.getName() + "("));
        }
        return String.join("\n", kept.subList(0, Math.min(kept.size(), MOST_TRACE_LINES)));
    }

    @Override
    public void afterClassTemplateInvocation(ExtensionContext context) {
        Tally tally = Tally.of(results);
        String counts = subject + ": "
                + Arrays.stream(Outcome.values())
                        .map(outcome -> tally.count(outcome) + " " + outcome.label())
                        .collect(joining(", "));
        context.publishReportEntry("conformance", counts);
        LOG.log(System.Logger.Level.INFO, counts);
    }
}
