package io.devicearena.conformance;

import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Puts clause, provider and device in front of every failure, so that one line of a report identifies it. */
final class ClauseMessages implements TestExecutionExceptionHandler {
    private final Subject subject;

    ClauseMessages(Subject subject) {
        this.subject = subject;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        if (thrown instanceof TestAbortedException || thrown instanceof VirtualMachineError) {
            throw thrown;
        }
        String test = context.getRequiredTestMethod().getName();
        String where = Clause.ofTest(test)
                        .map(clause -> "clause " + clause.id() + " " + clause.name())
                        .orElse(test)
                + ", " + subject + ": ";
        Optional<Throwable> hang = HangStacks.of(context);
        if (hang.isPresent()) {
            throw new AssertionFailedError(
                    where + "expected an end in time, got none; the stacks of all threads are below", hang.get());
        }
        if (thrown instanceof AssertionFailedError failed && failed.isExpectedDefined()) {
            throw new AssertionFailedError(
                    where + failed.getMessage(), failed.getExpected(), failed.getActual(), failed);
        }
        throw new AssertionFailedError(
                where + (thrown instanceof AssertionError ? thrown.getMessage() : "threw " + thrown), thrown);
    }
}
