package io.devicearena.wgpu.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of faults knows each function of the library that this module calls. */
class FaultTableTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern FUNCTION = Pattern.compile("\\bwgpu[A-Z]\\w+");
    private static final String RELEASE = "Release";

    @Test
    void function_thatTheModuleCalls_failsInATestOrHasAReason() throws IOException {
        Set<String> known =
                FaultLibrary.CALLS.stream().map(Fault.Call::function).collect(Collectors.toSet());
        known.addAll(FaultLibrary.UNFAILING.keySet());
        assertThat(called().filter(name -> !name.endsWith(RELEASE))).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void function_thatHasAReason_failsInNoTest() {
        assertThat(FaultLibrary.CALLS.stream().map(Fault.Call::function))
                .doesNotContainAnyElementsOf(FaultLibrary.UNFAILING.keySet());
    }

    private static Stream<String> called() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(SOURCES)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        Set<String> names = new TreeSet<>();
        for (Path file : files) {
            FUNCTION.matcher(Files.readString(file))
                    .results()
                    .map(MatchResult::group)
                    .forEach(names::add);
        }
        return names.stream();
    }
}
