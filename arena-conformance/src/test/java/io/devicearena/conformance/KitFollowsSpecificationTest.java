package io.devicearena.conformance;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.conformance.junit.Clause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The kit has a test for each clause that a backend can be held to, by the clause's kind, number and name. */
class KitFollowsSpecificationTest {
    private static final Pattern CLAUSE =
            Pattern.compile("(?m)^\\*\\*(\\d+)\\.(\\d+) (required|optional|stochastic)\\*\\*[A-Z0-9_ ]* `(\\w+)`");

    /** Clauses about the library itself, which its own build tests: discovery, casts, shared arenas, planners. */
    private static boolean isOfTheLibrary(Clause clause) {
        return clause.group() >= 16;
    }

    /** Every clause that the kit tests. */
    static Set<Clause> ofTheKit() {
        return Arrays.stream(DeviceArenaConformance.class.getMethods())
                .flatMap(method -> Clause.ofTest(method.getName()).stream())
                .collect(toCollection(TreeSet::new));
    }

    private static Clause clause(MatchResult found) {
        return new Clause(
                found.group(3), Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), found.group(4));
    }

    @Test
    void everyClauseOfTheSpecificationHasItsTest() throws IOException {
        String specification = Files.readString(Path.of("..", "docs", "spec.md"));
        Set<Clause> specified = CLAUSE.matcher(specification)
                .results()
                .map(KitFollowsSpecificationTest::clause)
                .filter(clause -> !isOfTheLibrary(clause))
                .collect(toCollection(TreeSet::new));
        assertThat(ofTheKit()).hasSizeGreaterThan(75).isEqualTo(specified);
    }

    @Test
    void everyTestOfTheKitIsAClause() {
        assertThat(DeviceArenaConformance.class.getMethods())
                .filteredOn(method -> method.isAnnotationPresent(Test.class))
                .allSatisfy(
                        method -> assertThat(Clause.ofTest(method.getName())).isPresent())
                .hasSameSizeAs(ofTheKit());
    }
}
