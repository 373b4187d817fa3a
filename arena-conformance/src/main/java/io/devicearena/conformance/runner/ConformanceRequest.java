package io.devicearena.conformance.runner;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What to test, and which providers must be available.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param provider the name of the only provider to test, or empty for every one that is found
 * @param required names of providers that must be available, tested or not
 * @param reportFolder where reports go, or empty for none
 */
public record ConformanceRequest(Optional<String> provider, List<String> required, Optional<Path> reportFolder) {
    /** The environment variable that names the providers that must be available when the caller names none. */
    public static final String REQUIRE_VARIABLE = "DEVICEARENA_REQUIRE";

    /** Makes the request; the list is copied, without repetitions. */
    public ConformanceRequest {
        Objects.requireNonNull(provider, "provider");
        required = required.stream().distinct().toList();
        Objects.requireNonNull(reportFolder, "reportFolder");
    }

    /**
     * Reads a list of names, as {@value #REQUIRE_VARIABLE} has it.
     *
     * @param list names, separated by commas; may be blank
     * @return the names, without blanks around them and without empty ones
     */
    public static List<String> names(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
