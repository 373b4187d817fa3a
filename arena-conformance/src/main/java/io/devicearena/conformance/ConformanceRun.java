package io.devicearena.conformance;

import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.topics.EveryTopic;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that JUnit runs once for each device of some providers. The time limit ends a test that hangs; tests
 * take far less.
 */
@ClassTemplate
@ExtendWith(EachDevice.class)
@TestMethodOrder(ClauseOrder.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ConformanceRun implements EveryTopic {
    private @Nullable Subject subject;
    private boolean required;
    private int times;
    private int met;

    /** The providers to test. */
    abstract List<DeviceArenaProvider> providers();

    /** Throws when these subjects are not what the run must have, before any test has run. */
    void check(List<Subject> subjects, Set<String> required) {
        // the one provider exists; each test checks whether it is available
    }

    /** Sets what this instance tests; the extension calls it right after it has made the instance. */
    final void test(Subject tested, boolean mustBeThere) {
        this.subject = tested;
        this.required = mustBeThere;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if no test is running
     */
    @Override
    public final Subject subject() {
        if (subject == null) {
            throw new IllegalStateException("no test is running; call subject() from a test method");
        }
        return subject;
    }

    /** {@inheritDoc} */
    @Override
    public final boolean isRequired() {
        return required;
    }

    /** {@inheritDoc} */
    @Override
    public final void tried(int more, int moreMet) {
        times += more;
        met += moreMet;
    }

    /** What the clause says of its tries, or an empty text. */
    final String tries() {
        return times == 0 ? "" : "tried " + times + " times, met " + met;
    }
}
