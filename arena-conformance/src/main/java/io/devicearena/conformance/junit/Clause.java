package io.devicearena.conformance.junit;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A clause of the specification, as read from the name of its test.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param kind {@code required}, {@code optional} or {@code stochastic}
 * @param group the number of its group, 1 or more
 * @param number its number within the group, 1 or more
 * @param name the rule in short, in camel case
 */
public record Clause(String kind, int group, int number, String name) implements Comparable<Clause> {
    private static final Pattern TEST = Pattern.compile("(required|optional|stochastic)_(\\d+)_(\\d+)_(\\w+)");

    private static final Comparator<Clause> AS_IN_THE_SPECIFICATION = Comparator.comparingInt(Clause::group)
            .thenComparingInt(Clause::number)
            .thenComparing(Clause::name)
            .thenComparing(Clause::kind);

    /**
     * Parses the name of a test.
     *
     * @param test the name of a test method
     * @return the clause, or empty when the name is that of no clause
     */
    public static Optional<Clause> ofTest(String test) {
        Matcher parts = TEST.matcher(test);
        return parts.matches()
                ? Optional.of(new Clause(
                        parts.group(1),
                        Integer.parseInt(parts.group(2)),
                        Integer.parseInt(parts.group(3)),
                        parts.group(4)))
                : Optional.empty();
    }

    /**
     * The clause's number as the specification writes it.
     *
     * @return for example {@code 3.2}
     */
    public String id() {
        return group + "." + number;
    }

    /**
     * The name of its test.
     *
     * @return for example {@code required_3_3_castsAreThoseOfTheFormulas}
     */
    public String test() {
        return kind + "_" + group + "_" + number + "_" + name;
    }

    /**
     * Orders clauses as the specification does.
     *
     * @param other the clause to compare with
     * @return negative, 0 or positive as this clause is before, equal to or after the other
     */
    @Override
    public int compareTo(Clause other) {
        return AS_IN_THE_SPECIFICATION.compare(this, other);
    }
}
