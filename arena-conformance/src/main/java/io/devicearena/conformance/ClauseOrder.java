package io.devicearena.conformance;

import io.devicearena.conformance.junit.Clause;
import java.util.Comparator;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/** Runs the tests in the order of the specification, and tests that an author added last. */
final class ClauseOrder implements MethodOrderer {
    private static final Comparator<MethodDescriptor> BY_CLAUSE = Comparator.comparing(method -> Clause.ofTest(
                    method.getMethod().getName())
            .orElse(new Clause("", Integer.MAX_VALUE, 0, method.getMethod().getName())));

    @Override
    public void orderMethods(MethodOrdererContext context) {
        context.getMethodDescriptors().sort(BY_CLAUSE);
    }
}
