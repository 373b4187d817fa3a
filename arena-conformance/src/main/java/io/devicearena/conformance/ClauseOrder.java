package io.devicearena.conformance;

import io.devicearena.conformance.junit.Clause;
import java.lang.reflect.Method;
import java.util.Comparator;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/** Runs the tests in the order of the specification, and tests that an author added last. */
final class ClauseOrder implements MethodOrderer {
    private static final int LAST = Integer.MAX_VALUE;

    /** The clause of a test; a test that an author added is a clause of a last group. */
    static Clause clause(Method test) {
        return Clause.ofTest(test.getName()).orElse(new Clause("", LAST, 0, test.getName()));
    }

    /** The clause for people. */
    static String shown(Method test) {
        Clause clause = clause(test);
        return clause.group() == LAST ? clause.name() : "clause " + clause.id() + " " + clause.name();
    }

    @Override
    public void orderMethods(MethodOrdererContext context) {
        context.getMethodDescriptors().sort(Comparator.comparing(method -> clause(method.getMethod())));
    }
}
