package io.devicearena.conformance;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The providers that must be available: a missing one fails the run instead of being skipped. */
final class Requirement {
    /** A parameter of the JUnit platform, and as such a system property too. */
    static final String PARAMETER = "devicearena.require";

    static final String VARIABLE = "DEVICEARENA_REQUIRE";

    private Requirement() {}

    static Set<String> of(ExtensionContext context) {
        return parse(context.getConfigurationParameter(PARAMETER)
                .orElseGet(() -> System.getenv().getOrDefault(VARIABLE, "")));
    }

    static Set<String> parse(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
