package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A locale that encodes ASCII only: names beyond it are escaped or refused, never replaced by question marks. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "macOS and Windows encode names in Unicode in every locale")
class AsciiLocaleTest {
    private static final Map<String, String> ASCII = Map.of("LC_ALL", "C");
    private static final String CAFE = "$(printf 'caf\\303\\251')"; // the bytes of UTF-8

    @TempDir
    Path folder;

    private static final List<String> NAMES = List.of(
            "plan NAME | FILE",
            "run NAME | FILE",
            "load NAME | FILE",
            "weights NAME | FILE",
            "plan x.csv --out NAME | --out",
            "plan x.csv --html NAME | --html",
            "conformance --report NAME | --report");

    @Test
    void namesThatCannotBeReadAreRefused_andUnknownWordsEscaped() throws IOException, InterruptedException {
        List<List<String>> commands = Stream.concat(
                        NAMES.stream().map(row -> row.substring(0, row.indexOf(" | "))),
                        Stream.of("providers --provider NAME"))
                .map(words -> List.of(words.split(" ")))
                .toList();
        // the shell makes the bytes of the name
        String line = String.join(" ", CommandLines.of(commands))
                .replace("NAME", CAFE)
                .replace(";;", "';;'");
        ChildProcess.Result result =
                ChildProcess.shell(folder, ASCII, "\"$@\" " + line, CommandLines.java(CommandLines.NO_WGPU));
        String[] said = result.err().split("\n", -1);
        assertThat(said).hasSize(2 * NAMES.size() + 3).endsWith("");
        for (int i = 0; i < NAMES.size(); i++) {
            String subject = NAMES.get(i).substring(NAMES.get(i).indexOf(" | ") + 3);
            assertThat(said[2 * i])
                    .startsWith("arena: " + subject
                            + ": expected a name in the encoding of the locale, ANSI_X3.4-1968, got 'caf\\ufffd\\ufffd';"
                            + " use a locale with UTF-8, for example LC_ALL=C.UTF-8; see 'arena ");
            assertThat(said[2 * i + 1]).isEqualTo("exit code 2");
        }
        assertThat(said[2 * NAMES.size()]).startsWith("arena: provider 'caf\\ufffd\\ufffd': expected one of ");
        assertThat(said[2 * NAMES.size() + 1]).isEqualTo("exit code 2");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void namesOfValuesAreEscaped() throws IOException, InterruptedException {
        Path graph = Files.writeString(folder.resolve("one.graph.json"), """
                {"format": "device-arena-graph/1", "name": "caf\u00e9 \ud83d\ude00", "nodes": [
                {"id": 0, "name": "\u5024", "role": "input", "shape": [4], "dtype": "f32"}]}
                """);
        String file = graph.toString();
        ChildProcess.Result result = ChildProcess.shell(
                folder,
                ASCII,
                "\"$@\"",
                Stream.concat(
                                CommandLines.java().stream(),
                                CommandLines.of(List.of(
                                                List.of("plan", file),
                                                List.of("plan", file, "--json"),
                                                List.of("plan", file, "--report"),
                                                List.of("run", file, "--provider", "cpu")))
                                        .stream())
                        .toList());
        assertThat(result.err()).isEqualTo("exit code 0\n".repeat(4));
        assertThat(result.out())
                .contains("caf\\u00e9 \\ud83d\\ude00, 1 value", "caf\\u00e9 \\ud83d\\ude00, 1 node")
                .doesNotContain("?")
                .matches("\\p{ASCII}+");
    }
}
