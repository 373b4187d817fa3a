package io.devicearena.conformance;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/** Takes the stacks of all threads when a test has not ended in time, before JUnit interrupts it. */
final class HangStacks implements PreInterruptCallback {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(HangStacks.class);

    @Override
    public void beforeThreadInterrupt(PreInterruptContext hung, ExtensionContext test) {
        test.getStore(OURS).put(Hang.class, new Hang(hung.getThreadToInterrupt()));
    }

    /** The stacks that were taken during a test, or empty if it ended in time. */
    static Optional<Throwable> of(ExtensionContext test) {
        return Optional.ofNullable(test.getStore(OURS).get(Hang.class, Hang.class));
    }

    /** The stack of the thread that hangs, with those of all others. */
    private static final class Hang extends Exception {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("this-escape") // final, and nothing reads it before it is made
        Hang(Thread hung) {
            super("the test hangs; its thread is " + describe(hung) + ", the others follow");
            setStackTrace(hung.getStackTrace());
            Thread.getAllStackTraces().entrySet().stream()
                    .filter(one -> !one.getKey().equals(hung))
                    .sorted(Comparator.comparingLong(one -> one.getKey().threadId()))
                    .forEach(one -> addSuppressed(new Other(one)));
        }
    }

    /** The stack of another thread. */
    private static final class Other extends Exception {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("this-escape")
        Other(Map.Entry<Thread, StackTraceElement[]> thread) {
            super(describe(thread.getKey()));
            setStackTrace(thread.getValue());
        }
    }

    private static String describe(Thread thread) {
        return "'" + thread.getName() + "' (" + thread.getState() + ")";
    }
}
