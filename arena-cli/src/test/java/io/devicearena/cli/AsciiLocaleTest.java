package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A locale that encodes ASCII only: names beyond it are escaped or refused, never replaced by question marks. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "macOS and Windows encode names in Unicode in every locale")
class AsciiLocaleTest {
    private static final Map<String, String> ASCII = Map.of("LC_ALL", "C");
    private static final String CAFE = "$(printf 'caf\\303\\251')"; // the bytes of UTF-8

    @TempDir
    Path folder;

    private ChildProcess.Result arena(String line, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("-cp", ChildProcess.runtimePath(), "io.devicearena.cli.ArenaCli"));
        command.addAll(List.of(arguments));
        return ChildProcess.shell(folder, ASCII, line, command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan NAME | FILE",
                "run NAME | FILE",
                "load NAME | FILE",
                "weights NAME | FILE",
                "plan x.csv --out NAME | --out",
                "plan x.csv --html NAME | --html",
                "conformance --report NAME | --report"
            })
    void namesThatCannotBeReadAreRefused(String row) throws IOException, InterruptedException {
        String command = row.substring(0, row.indexOf(" | "));
        String subject = row.substring(row.indexOf(" | ") + 3);
        ChildProcess.Result result = arena("\"$@\" " + command.replace("NAME", CAFE));
        assertThat(result.err())
                .startsWith("arena: " + subject
                        + ": expected a name in the encoding of the locale, ANSI_X3.4-1968, got 'caf\\ufffd\\ufffd';"
                        + " use a locale with UTF-8, for example LC_ALL=C.UTF-8; see 'arena ")
                .hasLineCount(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void unknownWordsAreEscaped() throws IOException, InterruptedException {
        ChildProcess.Result result = arena("\"$@\" providers --provider " + CAFE);
        assertThat(result.err())
                .startsWith("arena: provider 'caf\\ufffd\\ufffd': expected one of ")
                .hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void namesOfValuesAreEscaped() throws IOException, InterruptedException {
        Path graph = Files.writeString(folder.resolve("one.graph.json"), """
                {"format": "device-arena-graph/1", "name": "caf\u00e9 \ud83d\ude00", "nodes": [
                {"id": 0, "name": "\u5024", "role": "input", "shape": [4], "dtype": "f32"}]}
                """);
        ChildProcess.Result text = arena("\"$@\"", "plan", graph.toString());
        assertThat(text.err()).isEmpty();
        assertThat(text.out())
                .contains("caf\\u00e9 \\ud83d\\ude00, 1 value")
                .doesNotContain("?")
                .matches("\\p{ASCII}+");
        for (String option : List.of("--json", "--report")) {
            assertThat(arena("\"$@\"", "plan", graph.toString(), option).out())
                    .doesNotContain("?")
                    .matches("\\p{ASCII}+");
        }
        ChildProcess.Result run = arena("\"$@\"", "run", graph.toString(), "--provider", "cpu");
        assertThat(run.out())
                .contains("caf\\u00e9 \\ud83d\\ude00, 1 node")
                .doesNotContain("?")
                .matches("\\p{ASCII}+");
        assertThat(run.exitCode()).isZero();
    }
}
