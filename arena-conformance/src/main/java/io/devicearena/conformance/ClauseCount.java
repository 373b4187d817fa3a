package io.devicearena.conformance;

import io.devicearena.conformance.junit.ClauseSkippedException;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.junit.Tries;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Counts the outcomes of the clauses on one device, and publishes the counts after the last one. */
final class ClauseCount implements TestWatcher, AfterTestExecutionCallback, AfterClassTemplateInvocationCallback {
    /** The key of the report entry of a clause that says how often it tried, and how often it met what it is after. */
    static final String TRIES = "tries";

    private static final System.Logger LOG = System.getLogger("io.devicearena.conformance");

    private final Subject subject;
    private final Map<ClauseSkippedException.Reason, Integer> skipped =
            new EnumMap<>(ClauseSkippedException.Reason.class);
    private int passed;
    private int failed;

    ClauseCount(Subject subject) {
        this.subject = subject;
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        passed++;
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getRequiredTestInstance() instanceof Tries clause
                && !clause.tries().isEmpty()) {
            context.publishReportEntry(TRIES, clause.tries());
        }
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        failed++;
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        skipped.merge(
                cause instanceof ClauseSkippedException skip ? skip.reason() : ClauseSkippedException.Reason.LEFT_OUT,
                1,
                Integer::sum);
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        skipped.merge(ClauseSkippedException.Reason.LEFT_OUT, 1, Integer::sum);
    }

    @Override
    public void afterClassTemplateInvocation(ExtensionContext context) {
        String count = this.toString();
        context.publishReportEntry("conformance", count);
        LOG.log(System.Logger.Level.INFO, count);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(subject)
                .append(String.format(Locale.ROOT, ": %d passed, %d failed", passed, failed));
        for (ClauseSkippedException.Reason reason : ClauseSkippedException.Reason.values()) {
            text.append(", ")
                    .append(skipped.getOrDefault(reason, 0))
                    .append(' ')
                    .append(reason.label());
        }
        return text.toString();
    }
}
