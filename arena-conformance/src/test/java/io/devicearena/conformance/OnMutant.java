package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;

/**
 * The kit on the current mutant. Its name does not end in Test, so the build does not run it by itself. A mutant that
 * hangs is caught in seconds instead of minutes.
 */
@Timeout(value = 12, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OnMutant extends DeviceArenaConformance {
    static Supplier<DeviceArenaProvider> provider = ReferenceProvider::new;
    /** The clauses that run. */
    static Predicate<Clause> clauses = clause -> true;

    @Override
    protected DeviceArenaProvider provider() {
        return provider.get();
    }

    /** Leaves out the tests of other clauses. */
    static final class Chosen implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            boolean runs = context.getTestMethod()
                    .flatMap(method -> Clause.ofTest(method.getName()))
                    .filter(clauses.negate())
                    .isEmpty();
            return runs
                    ? ConditionEvaluationResult.enabled("the mutant is held against it")
                    : ConditionEvaluationResult.disabled("meets the faults of many other clauses");
        }
    }
}
