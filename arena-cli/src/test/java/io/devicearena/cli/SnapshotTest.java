package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.Pickles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots of plans in the form of PyTorch, read again. */
class SnapshotTest {
    private static final String EVENTS = ".device_traces.0.";

    @TempDir
    Path folder;

    /** Plans a file. */
    private Map<String, String> snapshot(Path input, String... further) throws IOException {
        Path file = folder.resolve("plan.pickle");
        List<String> words = new ArrayList<>(List.of("plan", input.toString(), "--snapshot", file.toString()));
        words.addAll(List.of(further));
        Cli.Result result = Cli.run(words.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return Pickles.leaves(file);
    }

    private static long number(Map<String, String> leaves, String path) {
        return Long.parseLong(leaves.get(path));
    }

    private static List<String> events(Map<String, String> leaves) {
        List<String> events = new ArrayList<>();
        for (int i = 0; leaves.containsKey(EVENTS + i + ".action"); i++) {
            String event = EVENTS + i + ".";
            events.add(String.format(
                    Locale.ROOT,
                    "%s: %s %s bytes at %s: %s %s:%s",
                    leaves.get(event + "time_us"),
                    leaves.get(event + "action"),
                    leaves.get(event + "size"),
                    leaves.get(event + "addr"),
                    leaves.get(event + "frames.0.filename"),
                    leaves.get(event + "frames.0.line"),
                    leaves.get(event + "frames.0.name")));
        }
        return events;
    }

    private static List<String> blocks(Map<String, String> leaves, int segment) {
        List<String> blocks = new ArrayList<>();
        String prefix = ".segments." + segment + ".blocks.";
        for (int i = 0; leaves.containsKey(prefix + i + ".state"); i++) {
            String title = leaves.get(prefix + i + ".frames.0.name");
            blocks.add(leaves.get(prefix + i + ".state") + " " + leaves.get(prefix + i + ".size")
                    + (title == null ? "" : " " + title));
        }
        return blocks;
    }

    private Path network() throws IOException {
        return Files.writeString(folder.resolve("net.graph.json"), """
                {"format": "device-arena-graph/1", "name": "net", "nodes": [
                 {"id": 0, "name": "x", "role": "input", "dtype": "f32", "shape": [16], "inputs": []},
                 {"id": 1, "name": "w", "role": "param", "dtype": "f32", "shape": [8], "inputs": []},
                 {"id": 2, "name": "a", "op": "Mul", "role": "op", "dtype": "f32", "shape": [2, 8], "inputs": [0, 1]},
                 {"id": 3, "name": "b", "op": "Exp", "role": "op", "dtype": "f32", "shape": [16], "inputs": [2]},
                 {"id": 4, "name": "c", "op": "Neg", "role": "output", "dtype": "f32", "shape": [16], "inputs": [3]}]}
                """);
    }

    @Test
    void snapshot_hasEachValueFromItsFirstStepToItsEnd() throws IOException {
        Map<String, String> leaves = snapshot(network(), "--align", "4");
        assertThat(events(leaves))
                .containsExactly(
                        "0: alloc 64 bytes at 96: net 0:a Mul f32[2, 8]",
                        "1: alloc 64 bytes at 160: net 1:b Exp f32[16]",
                        "2: free_requested 64 bytes at 96: net 0:a Mul f32[2, 8]",
                        "2: free_completed 64 bytes at 96: net 0:a Mul f32[2, 8]",
                        "2: alloc 64 bytes at 96: net 2:c Neg f32[16]");
        assertThat(blocks(leaves, 0))
                .containsExactly(
                        "active_allocated 32 w f32[8]",
                        "active_allocated 64 x f32[16]",
                        "active_allocated 64 c Neg f32[16]",
                        "active_allocated 64 b Exp f32[16]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resnet50_b32_sgd.csv", "A.1048576.csv", "densenet121_1f1b_r0of4_mb16_var.csv"})
    void snapshot_ofARealTrace_isThatOfAnAllocator(String name) throws IOException {
        Path table = folder.resolve("plan.csv");
        Map<String, String> leaves = snapshot(Path.of("..", "traces", name), "--out", table.toString());

        NavigableMap<Long, Long> live = new TreeMap<>();
        long end = number(leaves, ".segments.0.total_size");
        Map<Long, String> names = new TreeMap<>(); // of the values that are live to the end, by address
        Map<String, List<Long>> rows = new TreeMap<>();
        long lastStep = 0;
        for (String row : Files.readAllLines(table).stream().skip(1).toList()) {
            String[] cells = row.split(",", -1);
            List<Long> numbers = List.of(
                    Long.valueOf(cells[1]), Long.valueOf(cells[2]), Long.valueOf(cells[3]), Long.valueOf(cells[4]));
            lastStep = Math.max(lastStep, numbers.get(1));
            if (numbers.get(1) > numbers.get(0) && numbers.get(2) > 0) {
                rows.put(cells[0], numbers);
            }
        }
        List<String> expected = new ArrayList<>();
        for (Map.Entry<String, List<Long>> row : rows.entrySet()) {
            List<Long> facts = row.getValue();
            if (facts.get(1) == lastStep) {
                names.put(facts.get(3), row.getKey());
            }
            if (facts.get(0) == 0 && facts.get(1) == lastStep) {
                live.put(facts.get(3), facts.get(2)); // before the first event
                continue;
            }
            String text = "%d: %s %d bytes at %d: %s %d:%s";
            expected.add(String.format(
                    Locale.ROOT,
                    text,
                    facts.get(0),
                    "alloc",
                    facts.get(2),
                    facts.get(3),
                    name,
                    facts.get(0),
                    row.getKey()));
            if (facts.get(1) < lastStep) {
                for (String action : List.of("free_requested", "free_completed")) {
                    expected.add(String.format(
                            Locale.ROOT,
                            text,
                            facts.get(1),
                            action,
                            facts.get(2),
                            facts.get(3),
                            name,
                            facts.get(0),
                            row.getKey()));
                }
            }
        }
        // sorted, as the comparison of thousands in any order takes seconds
        assertThat(events(leaves).stream().sorted().toList())
                .isEqualTo(expected.stream().sorted().toList());

        long step = 0;
        for (int i = 0; leaves.containsKey(EVENTS + i + ".action"); i++) {
            long now = number(leaves, EVENTS + i + ".time_us");
            assertThat(now).isGreaterThanOrEqualTo(step);
            step = now;
            long address = number(leaves, EVENTS + i + ".addr");
            long bytes = number(leaves, EVENTS + i + ".size");
            switch (Objects.requireNonNull(leaves.get(EVENTS + i + ".action"))) {
                case "alloc" -> {
                    Map.Entry<Long, Long> before = live.floorEntry(address);
                    Map.Entry<Long, Long> after = live.ceilingEntry(address);
                    assertThat(before == null ? 0 : before.getKey() + before.getValue())
                            .isLessThanOrEqualTo(address);
                    assertThat(address + bytes).isLessThanOrEqualTo(after == null ? end : after.getKey());
                    live.put(address, bytes);
                }
                case "free_completed" -> assertThat(live.remove(address)).isEqualTo(bytes);
                default -> assertThat(live).containsEntry(address, bytes);
            }
        }
        long at = 0;
        List<String> blocks = new ArrayList<>();
        for (Map.Entry<Long, Long> block : live.entrySet()) {
            if (at < block.getKey()) {
                blocks.add("inactive " + (block.getKey() - at));
            }
            blocks.add("active_allocated " + block.getValue() + " " + names.get(block.getKey()));
            at = block.getKey() + block.getValue();
        }
        if (at < end) {
            blocks.add("inactive " + (end - at));
        }
        assertThat(blocks(leaves, 0)).isEqualTo(blocks);
        assertThat(number(leaves, ".segments.0.allocated_size"))
                .isEqualTo(live.values().stream().mapToLong(Long::longValue).sum());
    }

    @Test
    void snapshot_hasTheSegmentsOfTheArena() throws IOException {
        Path buffers =
                Files.writeString(folder.resolve("three.csv"), "id,lower,upper,size\n1,0,2,64\n2,0,2,64\n3,0,1,32\n");
        Map<String, String> leaves = snapshot(buffers, "--align", "32", "--segments", "96");
        assertThat(leaves)
                .containsEntry(".segments.0.total_size", "64")
                .containsEntry(".segments.1.address", "64")
                .containsEntry(".segments.1.total_size", "96")
                .containsEntry(".segments.1.allocated_size", "64");
        assertThat(blocks(leaves, 0)).containsExactly("active_allocated 64 1");
        assertThat(blocks(leaves, 1)).containsExactly("active_allocated 64 2", "inactive 32");
    }

    @Test
    void python_readsTheSame() throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("leaves.py"), """
                import pickle, sys
                def collect(path, value):
                    if isinstance(value, dict):
                        for key in value: collect(path + "." + key, value[key])
                    elif isinstance(value, list):
                        for i, item in enumerate(value): collect(path + "." + str(i), item)
                    else:
                        print(path + "=" + str(value))
                collect("", pickle.load(open(sys.argv[1], "rb")))
                """);
        Map<String, String> leaves = snapshot(network());
        ChildProcess.Result result;
        try {
            result = ChildProcess.run(
                    folder,
                    Map.of("PYTHONIOENCODING", "utf-8"),
                    List.of(
                            "python3",
                            script.toString(),
                            folder.resolve("plan.pickle").toString()));
        } catch (IOException e) {
            assumeTrue(false, "python3: expected it on the PATH, got none; no snapshot is read by Python");
            return;
        }
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().sorted())
                .containsExactlyElementsOf(leaves.entrySet().stream()
                        .map(leaf -> leaf.getKey() + "=" + leaf.getValue())
                        .sorted()
                        .toList());
    }

    @Test
    void hostileNames_arePlainText() throws IOException {
        Path graph =
                Files.writeString(folder.resolve("x.graph.json"), String.format(Locale.ROOT, """
                {"format": "device-arena-graph/1", "name": "\\u0000\\ud800", "nodes": [
                 {"id": 0, "name": "%s", "role": "input", "dtype": "f32", "shape": [4], "inputs": []},
                 {"id": 1, "name": "é\\u001b[2J", "role": "output", "dtype": "f32", "shape": [4], "inputs": [0]}]}
                """, "x".repeat(5000)));
        assertThat(blocks(snapshot(graph), 0))
                .containsExactly(
                        "active_allocated 64 " + "x".repeat(200) + "…", "active_allocated 64 é\\u001b[2J f32[4]");
    }

    @Test
    void severalFiles_areRefused() {
        Cli.Result result = Cli.run("plan", "a.graph.json", "b.graph.json", "--snapshot", "x.pickle");
        assertThat(result.err().strip()).isEqualTo("arena: --snapshot: expected one file, got 2");
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
