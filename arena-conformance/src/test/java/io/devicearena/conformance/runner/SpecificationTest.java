package io.devicearena.conformance.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.conformance.junit.Clause;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpecificationTest {
    @Test
    void everyClauseOfTheKitIsQuotedFromTheSpecification() throws IOException {
        Specification specification = Specification.shipped();
        List<Clause> clauses = Arrays.stream(ChosenProviders.class.getMethods())
                .map(Method::getName)
                .flatMap(name -> Clause.ofTest(name).stream())
                .toList();
        assertThat(clauses).isNotEmpty().allSatisfy(clause -> {
            assertThat(specification.clause(clause)).as(clause.test()).isPresent();
            assertThat(specification.group(clause.group())).isNotEqualTo("group " + clause.group());
        });
    }

    @Test
    void clauseHasRuleAndIntent() throws IOException {
        assertThat(Specification.shipped().clause(new Clause("required", 8, 2, "closeTwiceIsHarmless")))
                .contains(new Specification.Text(
                        "A second `close()`, on the same or another thread, MUST do nothing and throw nothing. `isOpen()` is true until the"
                                + " first and false after\nit; `toString()` works before and after.",
                        "try-with-resources and an engine's own shutdown meet; the JDK's `Arena.close` throws here."));
        assertThat(Specification.shipped().group(8)).isEqualTo("Lifetime");
    }

    @Test
    void clauseOfAnotherNameOrNumberHasNoText() throws IOException {
        Specification specification = Specification.shipped();
        assertThat(specification.clause(new Clause("required", 8, 2, "closeTwiceThrows")))
                .isEmpty();
        assertThat(specification.clause(new Clause("required", 8, 99, "closeTwiceIsHarmless")))
                .isEmpty();
        assertThat(specification.group(99)).isEqualTo("group 99");
        assertThat(Specification.of("").clause(new Clause("required", 1, 1, "x")))
                .isEqualTo(Optional.empty());
    }
}
