package io.devicearena.conformance;

import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.Subject;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Puts clause, provider and device in front of every failure, so that one line of a report identifies it. Takes the
 * stacks of all threads when a test has not ended in time, before JUnit interrupts it.
 */
final class ClauseMessages implements TestExecutionExceptionHandler, PreInterruptCallback {
    private final Subject subject;
    private volatile @Nullable Throwable hang;

    ClauseMessages(Subject subject) {
        this.subject = subject;
    }

    /** What is tested, for messages and files: the clause, or a test that an author added, and the device. */
    static String where(ExtensionContext test, Subject subject) {
        String method = test.getRequiredTestMethod().getName();
        return Clause.ofTest(method)
                        .map(clause -> "clause " + clause.id() + " " + clause.name())
                        .orElse(method)
                + ", " + subject;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        if (thrown instanceof TestAbortedException || thrown instanceof VirtualMachineError) {
            throw thrown;
        }
        String where = where(context, subject) + ": ";
        Throwable hung = hang;
        hang = null;
        if (hung != null) {
            throw new AssertionFailedError(
                    where + "expected an end in time, got none; the stacks of all threads are below", hung);
        }
        if (thrown instanceof AssertionFailedError failed && failed.isExpectedDefined()) {
            throw new AssertionFailedError(
                    where + failed.getMessage(), failed.getExpected(), failed.getActual(), failed);
        }
        throw new AssertionFailedError(
                where + (thrown instanceof AssertionError ? thrown.getMessage() : "threw " + thrown), thrown);
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
}
