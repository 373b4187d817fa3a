package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.CommandLines;
import io.devicearena.cli.testing.TraceEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The option --jfr: a recording of the run, or one line that says why there is none. */
class FlightRecordingTest {
    @TempDir
    Path folder;

    private Path buffers;

    @BeforeEach
    void buffers() throws IOException {
        buffers = Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size\n1,0,2,64\n2,1,3,32\n");
    }

    private Cli.Result run(Path recording) {
        return Cli.run("run", buffers.toString(), "--provider", "cpu", "--jfr", recording.toString());
    }

    private static Set<String> arenaEvents(Path recording) throws IOException {
        return RecordingFile.readAllEvents(recording).stream()
                .map(event -> event.getEventType().getName())
                .filter(name -> name.startsWith("io.devicearena."))
                .collect(Collectors.toSet());
    }

    @Test
    void run_withARecording_writesTheEventsOfTheArena() throws IOException {
        Path recording = folder.resolve("run.jfr");
        Cli.Result result = run(recording);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(arenaEvents(recording))
                .containsExactlyInAnyOrder(
                        "io.devicearena.Plan",
                        "io.devicearena.ArenaOpen",
                        "io.devicearena.Upload",
                        "io.devicearena.Readback",
                        "io.devicearena.ReplayStep",
                        "io.devicearena.ArenaClose");
    }

    @Test
    void runThatFails_writesTheRecordingToo() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.csv"), "id,lower,upper,size\n1,0,2,-1\n");
        Path recording = folder.resolve("broken.jfr");
        Cli.Result result = Cli.run("run", broken.toString(), "--jfr", recording.toString());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(recording).isNotEmptyFile();
    }

    @Test
    void fileThatCannotBeWritten_isRefusedBeforeTheRun() {
        Path missing = folder.resolve("none");
        Cli.Result result = run(missing.resolve("run.jfr"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().strip())
                .isEqualTo("arena: --jfr: expected an existing folder, got '" + missing
                        + "', which does not exist; create it first");
    }

    @Test
    void fileOfTheInput_isRefused() {
        Cli.Result result = run(buffers);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().strip())
                .isEqualTo(
                        "arena: --jfr: expected another file than the input, got '" + buffers + "'; name another one");
        assertThat(buffers).content().startsWith("id,");
    }

    @Test
    void javaWithoutRecorder_refusesTheOptionsAndRunsWithoutThem() throws IOException, InterruptedException {
        String input = buffers.toString();
        Path recording = folder.resolve("run.jfr");
        Path trace = folder.resolve("trace.json");
        Path ofARun = folder.resolve("run.json");
        List<String> java =
                CommandLines.java("--limit-modules", "java.base,java.logging,java.xml,jdk.management,jdk.unsupported");
        java.addAll(CommandLines.of(List.of(
                List.of("run", input, "--provider", "cpu", "--json"),
                List.of("run", input, "--jfr", recording.toString()),
                List.of("plan", input, "--trace", trace.toString()),
                List.of("run", input, "--trace", ofARun.toString()))));
        ChildProcess.Result result = ChildProcess.java(folder, java);
        String refused =
                ": expected a Java with the module jdk.jfr, got one without; use a complete JDK\nexit code 2\n";
        assertThat(result.err())
                .isEqualTo("exit code 0\narena: --jfr" + refused + "exit code 0\narena: --trace" + refused);
        assertThat(result.out()).contains("\"ok\" : true");
        assertThat(TraceEvents.of(TraceEvents.read(trace), "X", TraceEvents.PLAN))
                .hasSize(2);
        assertThat(List.of(recording, ofARun)).noneMatch(Files::exists);
    }
}
