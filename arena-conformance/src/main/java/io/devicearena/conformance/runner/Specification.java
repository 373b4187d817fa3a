package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.Clause;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of the specification, {@code docs/spec.md}, which is in the kit's jar.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Specification {
    private static final Pattern GROUP = Pattern.compile("^## (\\d+) (.+)$", Pattern.MULTILINE);

    /** A clause: number and name, the rule, and the intent, which ends with its paragraph. */
    private static final Pattern CLAUSE = Pattern.compile(
            "^\\*\\*(\\d+\\.\\d+) [^*]+\\*\\*[^`\\n]*`(\\w+)`\\\\\\n(?<rule>.+?)\\\\\\n\\*Intent:\\*\\s+(?<intent>.+?)\\s*(?:\\n\\n|\\z)",
            Pattern.MULTILINE | Pattern.DOTALL);

    private final Map<Integer, String> groups = new HashMap<>();
    private final Map<String, Text> clauses = new HashMap<>();

    /**
     * What a clause says, in Markdown.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param rule what must hold
     * @param intent why it exists, and which fault it catches
     */
    public record Text(String rule, String intent) {}

    private Specification(String markdown) {
        Matcher group = GROUP.matcher(markdown);
        while (group.find()) {
            groups.put(Integer.parseInt(group.group(1)), group.group(2).strip());
        }
        Matcher clause = CLAUSE.matcher(markdown);
        while (clause.find()) {
            clauses.put(
                    key(clause.group(1), clause.group(2)),
                    new Text(clause.group("rule").strip(), clause.group("intent")));
        }
    }

    static Specification of(String markdown) {
        return new Specification(markdown.replace("\r\n", "\n"));
    }

    private static String key(String number, String name) {
        return number + " " + name;
    }

    /**
     * Reads the specification in the kit's jar.
     *
     * @return the specification
     * @throws IOException if the kit's jar has none
     */
    public static Specification shipped() throws IOException {
        return of(Template.ofFile("spec.md").text());
    }

    /**
     * The title of a group.
     *
     * @param number its number, 1 or more
     * @return for example {@code Typed writes}, or the number when the specification has no such group
     */
    public String group(int number) {
        return groups.getOrDefault(number, "group " + number);
    }

    /**
     * Finds what a clause says.
     *
     * @param clause the clause
     * @return its text, or empty when the specification has no such clause
     */
    public Optional<Text> clause(Clause clause) {
        return Optional.ofNullable(clauses.get(key(clause.id(), clause.name())));
    }
}
