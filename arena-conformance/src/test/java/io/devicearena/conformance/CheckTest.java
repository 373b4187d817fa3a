package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.oracle.Check;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** The messages of failed clauses. */
class CheckTest {
    @Test
    void differentBytes_messageHasTheOffset() {
        assertThatThrownBy(() -> Check.same("node 1", 32, new byte[] {1, 2, 3}, new byte[] {1, 9, 3}))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("node 1: expected 0203 at offset 33, byte 1 of 3, got 0903");
    }

    @Test
    void missingBytes_messageSaysTheEnd() {
        assertThatThrownBy(() -> Check.same("node 1", 0, new byte[10], new byte[1]))
                .hasMessage("node 1: expected 0000000000000000 at offset 1, byte 1 of 1, got the end");
    }

    @Test
    void floatsAreComparedByTheirBits() {
        assertThatThrownBy(() -> Check.same("a value", new float[] {1, 0f}, new float[] {1, -0f}))
                .hasMessage("a value, element 1: expected 00000000 (0.0), got 80000000 (-0.0)");
        assertThatThrownBy(() -> Check.same("a value", new float[2], new float[1]))
                .hasMessage("a value: expected 2 elements, got 1");
        assertThatCode(() -> Check.same("a value", new float[] {Float.NaN}, new float[] {Float.NaN}))
                .doesNotThrowAnyException();
    }

    @Test
    void acceptedCallFails() {
        assertThatThrownBy(() -> Check.assertRefused(IllegalArgumentException.class, "a call", () -> {}))
                .hasMessage("a call: expected IllegalArgumentException, got a call that was accepted");
        assertThatThrownBy(() -> Check.assertRefused(IllegalArgumentException.class, "a call", () -> {
                    throw new IllegalStateException("closed");
                }))
                .hasMessage("a call: expected IllegalArgumentException, got java.lang.IllegalStateException: closed");
    }

    @Test
    void messageWithoutItsFiguresFails() {
        assertThatThrownBy(() -> Check.assertRefused(
                        IllegalArgumentException.class,
                        "a call",
                        () -> {
                            throw new IllegalArgumentException("33 is too much");
                        },
                        33,
                        32))
                .hasMessage("a call: expected a message with '32', got '33 is too much'");
    }

    @Test
    void testNamesAreParsedAsClauses() {
        assertThat(Clause.ofTest("required_3_3_castsAreThoseOfTheFormulas"))
                .contains(new Clause("required", 3, 3, "castsAreThoseOfTheFormulas"));
        assertThat(Clause.ofTest("closeTwice")).isEmpty();
        Clause clause = new Clause("optional", 10, 4, "segmentIsTheArena");
        assertThat(clause.id()).isEqualTo("10.4");
        assertThat(Clause.ofTest(clause.test())).contains(clause);
        assertThat(new Clause("required", 2, 10, "b")).isGreaterThan(new Clause("required", 2, 9, "c"));
    }
}
