package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.TraceEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.Timespan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timelines of plans, runs and recordings, read again. */
class TraceTest {
    private static final int PLAN = TraceEvents.PLAN;
    private static final int HOST = 2;
    private static final int DEVICE = 3;

    @TempDir
    Path folder;

    private Path trace = Path.of("");

    private Path buffers() throws IOException {
        trace = folder.resolve("trace.json");
        return Files.writeString(
                folder.resolve("two.csv"), "id,lower,upper,size\n1,0,2,64\n2,1,3,32\n3,2,4,64\n4,0,0,8\n");
    }

    private List<Map<String, String>> events() throws IOException {
        return TraceEvents.read(trace);
    }

    private static void assertDone(Cli.Result result) {
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    private static double number(Map<String, String> event, String field) {
        return Double.parseDouble(event.get(field));
    }

    @ParameterizedTest
    @ValueSource(strings = {"resnet50_b32_sgd.csv", "A.1048576.csv", "densenet121_1f1b_r0of4_mb16_var.csv"})
    void plan_itsTrace_hasEachLiveRangeAtItsOffset(String name) throws IOException {
        Path input = Path.of("..", "traces", name);
        trace = folder.resolve("trace.json");
        Path table = folder.resolve("plan.csv");
        assertDone(Cli.run("plan", input.toString(), "--trace", trace.toString(), "--out", table.toString()));

        Map<String, List<String>> rows = new TreeMap<>();
        TreeMap<Long, Long> changes = new TreeMap<>();
        for (String row : Files.readAllLines(table).stream().skip(1).toList()) {
            String[] cells = row.split(",", -1);
            long lower = Long.parseLong(cells[1]);
            long upper = Long.parseLong(cells[2]);
            long size = Long.parseLong(cells[3]);
            if (upper > lower && size > 0) {
                rows.put(cells[0], List.of(cells[1], cells[2], cells[3], cells[4]));
                changes.merge(lower, size, Long::sum);
                changes.merge(upper, -size, Long::sum);
            }
        }
        List<Map<String, String>> events = events();
        Map<String, List<String>> slices = new TreeMap<>();
        for (Map<String, String> event : TraceEvents.of(events, "X", PLAN)) {
            assertThat(number(event, "ts")).isEqualTo(number(event, "args.firstStep"));
            assertThat(number(event, "ts") + number(event, "dur")).isEqualTo(number(event, "args.endStep"));
            slices.put(
                    event.get("args.id"),
                    List.of(
                            event.get("args.firstStep"),
                            event.get("args.endStep"),
                            event.get("args.bytes"),
                            event.get("args.offset")));
        }
        assertThat(slices).isEqualTo(rows);

        Map<Double, Long> loads = new TreeMap<>();
        for (Map<String, String> event : TraceEvents.of(events, "C", PLAN)) {
            loads.put(number(event, "ts"), Long.parseLong(event.get("args.bytes")));
        }
        long load = 0;
        for (Map.Entry<Long, Long> change : changes.entrySet()) {
            load += change.getValue();
            assertThat(loads).containsEntry((double) change.getKey(), load);
        }
        assertThat(loads).hasSameSizeAs(changes);
    }

    @Test
    void plan_itsTrace_hasATrackForEachOffset() throws IOException {
        assertDone(Cli.run("plan", buffers().toString(), "--align", "1", "--trace", trace.toString()));

        Map<String, String> tracks = new HashMap<>();
        TraceEvents.of(events(), "M", PLAN).stream()
                .filter(event -> "thread_name".equals(event.get("name")))
                .forEach(event -> tracks.put(event.get("tid"), event.get("args.name")));
        assertThat(tracks).hasSize(2);
        Map<String, Double> ends = new HashMap<>();
        TraceEvents.of(events(), "X", PLAN).stream()
                .sorted(Comparator.comparingDouble(event -> number(event, "ts")))
                .forEach(event -> {
                    assertThat(tracks.get(event.get("tid"))).isEqualTo("offset " + event.get("args.offset"));
                    assertThat(number(event, "ts")).isGreaterThanOrEqualTo(ends.getOrDefault(event.get("tid"), 0.0));
                    ends.put(event.get("tid"), number(event, "ts") + number(event, "dur"));
                });
    }

    @Test
    void plan_ofHostileNames_isAReadableDocument() throws IOException {
        trace = folder.resolve("trace.json");
        Path graph = Files.writeString(folder.resolve("x.graph.json"), """
                {"format": "device-arena-graph/1", "name": "</script>\\u0000\\ud800\\u202e", "nodes": [
                 {"id": 0, "name": "%s", "role": "input", "dtype": "f32", "shape": [4], "inputs": []},
                 {"id": 1, "name": "\\"},{\\u001b[2J", "role": "output", "dtype": "f32", "shape": [4], "inputs": [0]}]}
                """.formatted("x".repeat(5000)));
        assertDone(Cli.run("plan", graph.toString(), "--trace", trace.toString()));

        assertThat(Files.readString(trace)).isASCII();
        assertThat(TraceEvents.of(events(), "X", PLAN))
                .extracting(event -> event.get("name"))
                .containsExactlyInAnyOrder("x".repeat(200) + "…", "\"},{\\u001b[2J");
    }

    @Test
    void run_itsTrace_hasTheTransfersInTheStepsAndThePlanByTheSameClock() throws IOException {
        assertDone(Cli.run("run", buffers().toString(), "--provider", "cpu", "--trace", trace.toString()));

        List<Map<String, String>> host = TraceEvents.of(events(), "X", HOST);
        List<Map<String, String>> steps = host.stream()
                .filter(event -> event.containsKey("args.operation"))
                .sorted(Comparator.comparingDouble(event -> number(event, "ts")))
                .toList();
        assertThat(steps)
                .extracting(event -> event.get("name") + " at " + event.get("args.step"))
                .containsExactly(
                        "write 1 at 0",
                        "write 2 at 1",
                        "verify 1 at 2",
                        "write 3 at 2",
                        "verify 2 at 2",
                        "verify 3 at 2");
        for (Map<String, String> step : steps) {
            String call = "write".equals(step.get("args.operation")) ? "Upload" : "Readback";
            assertThat(host)
                    .as(step.get("name"))
                    .anyMatch(event -> call.equals(event.get("name"))
                            && Objects.equals(event.get("tid"), step.get("tid"))
                            && number(event, "ts") >= number(step, "ts")
                            && number(event, "ts") + number(event, "dur")
                                    <= number(step, "ts") + number(step, "dur") + 0.01);
        }
        Map<String, String> second = TraceEvents.of(events(), "X", PLAN).stream()
                .filter(event -> "2".equals(event.get("name")))
                .findFirst()
                .orElseThrow();
        assertThat(number(second, "ts")).isEqualTo(number(steps.get(1), "ts"));
        assertThat(number(second, "ts") + number(second, "dur"))
                .isCloseTo(number(steps.getLast(), "ts") + number(steps.getLast(), "dur"), within(0.01));
    }

    @Test
    void runThatFails_writesWhatWasRecorded() throws IOException {
        buffers();
        Path broken = Files.writeString(folder.resolve("broken.csv"), "id,lower,upper,size\n1,0,2,-1\n");
        assertThat(Cli.run("run", broken.toString(), "--trace", trace.toString())
                        .exitCode())
                .isEqualTo(2);
        assertThat(TraceEvents.of(events(), "X", PLAN)).isEmpty();
    }

    @Name("io.devicearena.ProgramRun")
    static final class Run extends Event {
        @Timespan
        long waitingTime;
    }

    @Name("io.devicearena.KernelStep")
    static final class Step extends Event {
        String step = "";
        String kernel = "";

        @Timespan
        long deviceTime;
    }

    private static void step(String name, String kernel, long nanos) {
        Step step = new Step();
        step.step = name;
        step.kernel = kernel;
        step.deviceTime = nanos;
        step.commit();
    }

    @Test
    void trace_ofKernels_hasTheWaitAndTheStepsOfARun() throws IOException {
        buffers();
        Path file = folder.resolve("run.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            Run run = new Run();
            run.begin();
            run.waitingTime = 1;
            run.commit();
            step("layer 0", "add", 2000);
            step("", "mul", 500);
            recording.stop();
            recording.dump(file);
        }
        Cli.Result result = Cli.run("trace", file.toString(), trace.toString(), "--json");
        assertDone(result);
        assertThat(Integer.parseInt(result.json().get("events"))).isGreaterThanOrEqualTo(3);

        Map<String, String> wait = TraceEvents.of(events(), "X", HOST).stream()
                .filter(event -> "wait for the device".equals(event.get("name")))
                .findFirst()
                .orElseThrow();
        assertThat(number(wait, "dur")).isEqualTo(0.001);
        Map<String, String> run = TraceEvents.of(events(), "X", HOST).stream()
                .filter(event -> event.containsKey("args.waitingTime"))
                .findFirst()
                .orElseThrow();
        List<Map<String, String>> steps = TraceEvents.of(events(), "X", DEVICE);
        assertThat(steps).extracting(event -> event.get("name")).containsExactly("layer 0", "mul");
        assertThat(number(steps.get(0), "ts")).isEqualTo(number(run, "ts"));
        assertThat(number(steps.get(0), "dur")).isEqualTo(2);
        assertThat(number(steps.get(1), "ts")).isCloseTo(number(run, "ts") + 2, within(0.001));
    }

    @Test
    void trace_ofAnotherFile_isRefused() throws IOException {
        Path input = buffers();
        for (Path other : List.of(input, Files.createFile(folder.resolve("empty.jfr")))) {
            Cli.Result result = Cli.run("trace", other.toString(), trace.toString());
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()) // the end of the line is the JDK's
                    .startsWith("arena: " + other + ": expected a flight recording: ")
                    .hasLineCount(1);
        }
        assertRefused(
                folder.resolve("none.jfr") + ": expected a flight recording: no such file",
                "trace",
                folder.resolve("none.jfr"),
                trace);
        assertRefused(
                "FILE: expected another file than the recording, got '" + input + "'; name another one",
                "trace",
                input,
                input);
        assertThat(trace).doesNotExist();
    }

    @Test
    void trace_ofADamagedRecording_isRefused() throws IOException {
        Path whole = folder.resolve("run.jfr");
        assertDone(Cli.run("run", buffers().toString(), "--provider", "cpu", "--jfr", whole.toString()));
        byte[] bytes = Files.readAllBytes(whole);
        for (int at = 0; at < bytes.length; at += bytes.length / 20 + 1) {
            byte[] damaged = bytes.clone();
            for (int i = at; i < Math.min(bytes.length, at + 40); i++) {
                damaged[i] ^= 0x55;
            }
            Path file = Files.write(folder.resolve("damaged.jfr"), damaged);
            Cli.Result result = Cli.run("trace", file.toString(), trace.toString());
            assertThat(result.exitCode()).as("byte " + at).isIn(0, 2);
            if (result.exitCode() == 2) {
                assertThat(result.err())
                        .startsWith("arena: " + file + ": expected a ")
                        .hasLineCount(1);
            }
        }
    }

    private static void assertRefused(String message, Object... command) {
        String[] words = new String[command.length];
        for (int i = 0; i < command.length; i++) {
            words[i] = command[i].toString();
        }
        Cli.Result result = Cli.run(words);
        assertThat(result.err().strip()).isEqualTo("arena: " + message);
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void files_areCheckedBeforeTheWork() throws IOException {
        Path input = buffers();
        assertRefused(
                "--trace: expected another file than the input, got '" + input + "'; name another one",
                "plan",
                input,
                "--trace",
                input);
        assertRefused(
                "--trace: expected another file than that of --jfr, got '" + trace + "'; name another one",
                "run",
                input,
                "--jfr",
                trace,
                "--trace",
                trace);
        assertRefused("--trace: expected one file, got 2", "plan", input, input, "--trace", trace);
    }
}
