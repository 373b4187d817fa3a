package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.CommandLines;
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

/** Standard output that cannot be written: each command ends with one line and exit code 1. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/full")
class UnwritableOutputTest {
    @TempDir
    Path folder;

    private ChildProcess.Result arena(String line, String command) throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("-cp", ChildProcess.runtimePath(), "io.devicearena.cli.ArenaCli"));
        arguments.addAll(words(command));
        return ChildProcess.shell(folder, Map.of(), line, arguments);
    }

    /** The words of a command, with files that exist. */
    private List<String> words(String command) throws IOException {
        Path csv = Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size\n1,0,2,64\n2,1,3,32\n");
        Path graph = Files.writeString(folder.resolve("one.graph.json"), """
                {"format": "device-arena-graph/1", "nodes": [{"id": 0, "role": "input", "shape": [4], "dtype": "f32"}]}
                """);
        Path weights = folder.resolve("one.safetensors");
        Files.writeString(weights, "5\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}ab");
        return List.of(command.replace("CSV", csv.toString())
                .replace("GRAPH", graph.toString())
                .replace("WEIGHTS", weights.toString())
                .replace("FOLDER", folder.toString())
                .split(" "));
    }

    private static String line(String reason) {
        return "arena: standard output: writing failed: " + reason
                + "; direct it to a file or program that takes all of it\n";
    }

    private static final List<String> COMMANDS = List.of(
            "--help",
            "--version",
            "plan --help",
            "plan CSV",
            "plan CSV --json",
            "plan CSV --report",
            "plan CSV --html FOLDER/plan.html",
            "plan CSV --capacity 1",
            "plan GRAPH GRAPH",
            "plan GRAPH GRAPH --json",
            "run CSV --provider cpu",
            "run CSV --provider cpu --json",
            "weights WEIGHTS",
            "weights WEIGHTS --json",
            "load WEIGHTS --provider cpu",
            "load WEIGHTS --provider cpu --json",
            "providers --provider cpu",
            "providers --provider cpu --json",
            "conformance --provider cuda",
            "conformance --provider cuda --json");

    /** A provider without a device: the kit has nothing to run, and reports that. */
    private static final String NO_CUDA = "-Ddevicearena.cuda.library=/nonexistent";

    @Test
    void fullDiskIsReportedInOneLineByEachCommand() throws IOException, InterruptedException {
        List<List<String>> commands = new ArrayList<>();
        for (String command : COMMANDS) {
            commands.add(words(command));
        }
        List<String> java = new ArrayList<>(CommandLines.java(NO_CUDA));
        java.addAll(CommandLines.of(commands));
        ChildProcess.Result result = ChildProcess.shell(folder, Map.of(), "\"$@\" > /dev/full", java);
        assertThat(result.err()).isEqualTo((line("no space left on device") + "exit code 1\n").repeat(COMMANDS.size()));
    }

    @Test
    void closedOutputIsReportedInOneLine() throws IOException, InterruptedException {
        List<String> java = CommandLines.java();
        java.addAll(CommandLines.of(List.of(words("--help"), words("plan CSV --json"))));
        ChildProcess.Result result = ChildProcess.shell(folder, Map.of(), "\"$@\" >&-", java);
        assertThat(result.err()).isEqualTo((line("bad file descriptor") + "exit code 1\n").repeat(2));
    }

    @Test
    void readerThatEndsFirstIsReportedInOneLine() throws IOException, InterruptedException {
        // the reader has ended when the command writes
        ChildProcess.Result result = arena(
                "{ read go < FIFO; \"$@\"; echo $? >&2; } | sh -c 'exec 0<&-; echo go > FIFO'"
                        .replace("FIFO", fifo().toString()),
                "plan --help");
        assertThat(result.err()).isEqualTo(line("broken pipe") + "1\n");
    }

    private Path fifo() throws IOException, InterruptedException {
        Path fifo = folder.resolve("go");
        assertThat(ChildProcess.run(folder, Map.of(), List.of("mkfifo", fifo.toString()))
                        .exitCode())
                .isZero();
        return fifo;
    }

    @Test
    void fileThatCannotBeWrittenIsReportedInOneLine() throws IOException {
        for (String option : List.of("--out", "--html")) {
            Cli.Result result =
                    Cli.run(words("plan CSV " + option + " /dev/full").toArray(String[]::new));
            assertThat(result.err())
                    .isEqualTo("arena: " + option
                            + ": writing '/dev/full' failed: no space left on device; name another" + " file\n");
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }
}
