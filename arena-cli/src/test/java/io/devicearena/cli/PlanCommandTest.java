package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
    @TempDir
    Path folder;

    private Path csv = Path.of("");

    @BeforeEach
    void writeTable() throws IOException {
        csv = Files.writeString(folder.resolve("three.csv"), """
                id,lower,upper,size
                0,0,2,100
                1,1,3,50
                2,2,4,100
                """);
    }

    private Path graph(String name, String nodes) throws IOException {
        return Files.writeString(
                folder.resolve(name), "{\"format\": \"device-arena-graph/1\", \"nodes\": [" + nodes + "]}");
    }

    @Nested
    class Output {
        @Test
        void documentHasTheFiguresOfThePlan() throws IOException {
            Cli.Result result = Cli.run("plan", csv.toString(), "--json");
            assertThat(result.exitCode()).isZero();
            Map<String, String> json = result.json();
            assertThat(json.keySet())
                    .containsExactly(
                            "arenaBytes",
                            "lowerBoundBytes",
                            "totalUnsharedBytes",
                            "savedBytes",
                            "segmentBytes",
                            "offset",
                            "bytes",
                            "buffers",
                            "strategy",
                            "millis",
                            "valid",
                            "step",
                            "count",
                            "id",
                            "name",
                            "role",
                            "size",
                            "lower",
                            "upper",
                            "otherBytes");
            assertThat(json)
                    .containsEntry("arenaBytes", "150")
                    .containsEntry("lowerBoundBytes", "150")
                    .containsEntry("totalUnsharedBytes", "250")
                    .containsEntry("buffers", "3")
                    .containsEntry("strategy", "balanced")
                    .containsEntry("valid", "true");
        }

        @Test
        void reportHasAHeaderAndOneRowForEachSlot() {
            assertThat(Cli.run("plan", csv.toString(), "--report").out())
                    .isEqualTo("# arena_size=150 total_unshared=250 saved=100\n0\t100\t0\n0\t100\t2\n100\t50\t1\n");
        }

        @Test
        void withoutReuseEachBufferHasBytesOfItsOwn() throws IOException {
            assertThat(Cli.run("plan", csv.toString(), "--without-reuse", "--json")
                            .json())
                    .containsEntry("arenaBytes", "250")
                    .containsEntry("lowerBoundBytes", "150")
                    .containsEntry("savedBytes", "0");
        }

        @Test
        void explanationOfAValueNamesWhoseBytesItTakesOver() {
            assertThat(Cli.run("plan", csv.toString(), "--explain", "2")
                            .out()
                            .lines()
                            .map(line -> line.replaceAll(" +", " ")))
                    .containsExactly(
                            "value 2, bytes 0 to 100, live in [2, 4)",
                            "lies there no value below is live with it",
                            "takes over 0, bytes 0 to 100, live in [0, 2)",
                            "waits for the last use of 0; its bytes are free from step 2 on");
            assertThat(Cli.run("plan", csv.toString(), "--explain", "1")
                            .out()
                            .lines()
                            .map(line -> line.replaceAll(" +", " ")))
                    .containsExactly(
                            "value 1, bytes 100 to 150, live in [1, 3)",
                            "lies there above the highest value below that is live with it: 0, bytes 0 to 100, live in"
                                    + " [0, 2)",
                            "takes over no bytes of other values; it waits for none");
        }

        @Test
        void explanationOfAnAliasNamesItsHost() throws IOException {
            Path graph = graph("alias.graph.json", """
                    {"id": 0, "name": "a", "shape": [16], "dtype": "f32", "role": "op"},
                    {"id": 1, "name": "b", "shape": [16], "dtype": "f32", "role": "op", "inputs": [0], "inPlace": [0]},
                    {"id": 2, "name": "c", "shape": [16], "dtype": "f32", "role": "output", "inputs": [1]}""");

            assertThat(Cli.run("plan", graph.toString(), "--explain", "b").out())
                    .contains("it is written over a, which its op uses last");
        }

        @Test
        void explanationOfAnUnknownValueIsRefused() {
            Cli.Result result = Cli.run("plan", csv.toString(), "--explain", "x");

            assertThat(result.exitCode()).isNotZero();
            assertThat(result.err()).contains("--explain: expected the name or the id of a value in memory, got 'x'");
        }

        @Test
        void planIsWrittenAsATable() throws IOException {
            Path out = folder.resolve("out.csv");
            assertThat(Cli.run("plan", csv.toString(), "--out", out.toString()).exitCode())
                    .isZero();
            assertThat(out).hasContent("""
                    id,lower,upper,size,offset
                    0,0,2,100,0
                    1,1,3,50,100
                    2,2,4,100,0
                    """);
        }

        @Test
        void bufferThatIsNeverLiveCountsInTheLowerBound() throws IOException {
            Path empty = Files.writeString(folder.resolve("empty.csv"), "id,lower,upper,size\n0,0,0,20\n1,5,5,16\n");
            assertThat(Cli.run("plan", empty.toString()).out())
                    .contains("lower bound     20 bytes, the arena is 1.0000 times it");
        }

        @Test
        void controlCharactersInNamesAreEscaped() throws IOException {
            Path graph = graph("steer.graph.json", """
                    {"id": 0, "name": "a\\u001b[31m\\u202eb", "role": "input", "shape": [16], "dtype": "f32"}
                    """);
            assertThat(Cli.run("plan", graph.toString()).out())
                    .contains("a\\u001b[31m\\u202eb")
                    .doesNotContain("\u001b");
        }
    }

    @Nested
    class Options {
        @Test
        void alignmentRoundsOffsetsAndSizes() throws IOException {
            assertThat(Cli.run("plan", csv.toString(), "--json", "--align", "64")
                            .json())
                    .containsEntry("arenaBytes", Integer.toString(128 + 64));
        }

        @Test
        void alignmentThatIsNotAPowerOfTwoIsRejected() {
            Cli.Result result = Cli.run("plan", csv.toString(), "--align", "48");
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .isEqualTo("arena: alignment: expected a power of two, got 48" + System.lineSeparator());
        }

        @Test
        void alignmentOfTheNamedProviderIsUsed() throws IOException {
            assertThat(Cli.run("plan", csv.toString(), "--json", "--provider", "cpu")
                            .json())
                    .containsEntry("arenaBytes", Integer.toString(128 + 64));
        }

        @Test
        void unknownStrategyIsRejectedWithAList() {
            Cli.Result result = Cli.run("plan", csv.toString(), "--strategy", "magic");
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .isEqualTo("arena: strategy: expected one of balanced, fast, optimal, got 'magic'"
                            + System.lineSeparator());
        }

        @Test
        void everyListedStrategyPlansAndIsInTheHelp() throws IOException {
            String help = Cli.run("plan", "--help").out().replaceAll("\\s+", " ");
            assertThat(help).contains("one of " + String.join(", ", new PlanSearch.Names()) + ";");
            for (String name : new PlanSearch.Names()) {
                assertThat(Cli.run("plan", csv.toString(), "--json", "--strategy", name)
                                .json())
                        .containsEntry("strategy", name)
                        .containsEntry("valid", "true");
            }
        }

        @Test
        void valueThatIsNotANumberIsRejectedWithTheRange() {
            String help = "; see 'arena plan --help'" + System.lineSeparator();
            for (String[] wrong : new String[][] {
                {"--budget", "abc", "more than 0 and at most 1000000 seconds"},
                {"--capacity", "99999999999999999999", "a whole number of bytes from 0 to 9223372036854775807"},
                {"--capacity", "-1", "a whole number of bytes from 0 to 9223372036854775807"},
                {"--align", "1.5", "a power of two from 1 to 4611686018427387904"},
            }) {
                Cli.Result result = Cli.run("plan", csv.toString(), wrong[0] + "=" + wrong[1]);
                assertThat(result.exitCode()).isEqualTo(2);
                assertThat(result.err())
                        .isEqualTo("arena: " + wrong[0] + ": expected " + wrong[2] + ", got '" + wrong[1] + "'" + help);
            }
        }
    }

    @Nested
    class Segments {
        private Path weights = Path.of("");

        @BeforeEach
        void writeWeights() throws IOException {
            weights = Files.writeString(folder.resolve("weights.csv"), """
                    id,lower,upper,size
                    0,0,2,96
                    1,0,2,96
                    2,0,2,300
                    """);
        }

        private Cli.Result plan(String... options) {
            return Cli.run(Stream.concat(Stream.of("plan", weights.toString(), "--align=16"), Stream.of(options))
                    .toArray(String[]::new));
        }

        @Test
        void textSaysHowManyThereAreAndWhereTheyEnd() {
            assertThat(plan("--segments=128").out().lines())
                    .containsSubsequence(
                            "segments        5 of at most 128 bytes",
                            "               96 end of segment 1, of 96 bytes",
                            "              192 end of segment 2, of 96 bytes",
                            "              320 end of segment 3, of 128 bytes",
                            "              448 end of segment 4, of 128 bytes",
                            "              496 end of segment 5, of 48 bytes");
            assertThat(plan("--segments=1024").out().lines())
                    .contains("segments        1 of at most 1.00 KiB (1,024 bytes)");
            assertThat(plan("--segments=0").out().lines()).contains("segments        1");
            assertThat(plan().out().lines()).contains("segments        1");
        }

        @Test
        void textOfManySegmentsIsShort() {
            assertThat(plan("--segments=16").out().lines())
                    .containsSubsequence(
                            "segments        31 of at most 16 bytes",
                            "              144 end of segment 9, of 16 bytes",
                            "              496 end of segment 31, of 16 bytes; --report has all ends");
        }

        @Test
        void documentHasEverySegment() throws IOException {
            Cli.Result result = plan("--segments=128", "--json");
            assertThat(result.json()).containsEntry("segmentBytes", "128").containsEntry("arenaBytes", "496");
            assertThat(result.out().replaceAll("\\s+", ""))
                    .contains("\"segments\":[{\"offset\":0,\"bytes\":96},{\"offset\":96,\"bytes\":96},"
                            + "{\"offset\":192,\"bytes\":128},{\"offset\":320,\"bytes\":128},"
                            + "{\"offset\":448,\"bytes\":48}]");
        }

        @Test
        void reportHasTheEndsBetweenTheSlots() {
            assertThat(plan("--segments=128", "--report").out()).isEqualTo("""
                    # arena_size=496 total_unshared=496 saved=0
                    0	96	0
                    # segment 1 of 5 ends at 96
                    96	96	1
                    # segment 2 of 5 ends at 192
                    192	304	2
                    # segment 3 of 5 ends at 320
                    # segment 4 of 5 ends at 448
                    # segment 5 of 5 ends at 496
                    """);
        }

        @Test
        void pictureHasTheEnds() throws IOException {
            Path page = folder.resolve("plan.html");
            assertThat(plan("--segments=128", "--html=" + page).exitCode()).isZero();
            assertThat(Files.readString(page)).contains("\"segmentEnds\":[96,192,320,448,496]");
        }

        @Test
        void segmentsOfTheNamedProviderAreUsed() throws IOException {
            assertThat(plan("--provider=cpu", "--json").json()).containsEntry("segmentBytes", "0");
        }

        @Test
        void proofDoesNotHoldForSegmentsThatEnlargeThePlan() throws IOException {
            Path odd = Files.writeString(folder.resolve("odd.csv"), """
                    id,lower,upper,size
                    0,0,2,48
                    1,1,3,48
                    2,2,4,48
                    3,3,5,48
                    """);
            Cli.Result result = Cli.run("plan", odd.toString(), "--segments=64", "--strategy=optimal", "--align=16");
            assertThat(result.out()).contains("arena           96 bytes").doesNotContain("proved for");
            assertThat(Cli.run("plan", odd.toString(), "--segments=64", "--strategy=optimal", "--align=64", "--json")
                            .json())
                    .containsEntry("provedOptimal", "true");
        }

        @Test
        void wrongSizesAreRejectedInOneLine() {
            for (String[] wrong : new String[][] {
                {"8", "segments: expected 0 or a multiple of the alignment of 16 bytes, got 8"},
                {
                    "9223372036854775807",
                    "segments: expected 0 or a multiple of the alignment of 16 bytes, got 9223372036854775807"
                },
                {
                    "-16",
                    "--segments: expected a whole number of bytes from 0 to 9223372036854775807, got '-16';"
                            + " see 'arena plan --help'"
                },
                {
                    "9223372036854775808",
                    "--segments: expected a whole number of bytes from 0 to 9223372036854775807,"
                            + " got '9223372036854775808'; see 'arena plan --help'"
                },
                {
                    "128MiB",
                    "--segments: expected a whole number of bytes from 0 to 9223372036854775807, got '128MiB';"
                            + " see 'arena plan --help'"
                },
            }) {
                Cli.Result result = plan("--segments=" + wrong[0]);
                assertThat(result.exitCode()).isEqualTo(2);
                assertThat(result.out()).isEmpty();
                assertThat(result.err()).isEqualTo("arena: " + wrong[1] + System.lineSeparator());
            }
        }

        @Test
        void sizesNear2To63AreOneSegment() throws IOException {
            for (String[] options : new String[][] {
                {"--align=1", "--segments=9223372036854775807"}, {"--align=16", "--segments=9223372036854775792"}
            }) {
                Cli.Result result = Cli.run("plan", weights.toString(), options[0], options[1], "--json");
                assertThat(result.exitCode()).isZero();
                assertThat(result.json()).containsEntry("segmentBytes", options[1].substring("--segments=".length()));
            }
        }
    }

    @Nested
    class Capacity {
        @Test
        void sufficientCapacityGivesExitCodeZero() throws IOException {
            Cli.Result result = Cli.run("plan", csv.toString(), "--json", "--capacity", "150");
            assertThat(result.exitCode()).isZero();
            assertThat(result.json()).containsEntry("fits", "true");
        }

        @Test
        void capacityBelowTheLowerBoundReportsTheShortfall() throws IOException {
            Cli.Result result = Cli.run("plan", csv.toString(), "--json", "--capacity", "149");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.json()).containsEntry("fits", "false");
            assertThat(result.err())
                    .isEqualTo(
                            "arena: capacity: expected a plan of at most 149 bytes, got 150, 1 too many; no plan fits,"
                                    + " since 150 bytes are live at one step, 1 too many" + System.lineSeparator());
        }

        @Test
        void capacityBelowTheLargestValueNamesThatValue() throws IOException {
            Cli.Result result = Cli.run("plan", csv.toString(), "--json", "--capacity", "99");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.json())
                    .containsEntry("fits", "false")
                    .containsEntry("capacityBytes", "99")
                    .containsEntry("missingBytes", "51");
            assertThat(result.err())
                    .isEqualTo(
                            "arena: capacity: expected a plan of at most 99 bytes, got 150, 51 too many; no plan fits,"
                                    + " since node 0 alone takes 100 bytes, 1 too many" + System.lineSeparator());
        }
    }

    @Nested
    class Peak {
        @Test
        void peakListsItsValues() {
            Cli.Result result = Cli.run("plan", csv.toString());
            assertThat(result.exitCode()).isZero();
            assertThat(result.out())
                    .contains("peak            step 1, 2 values live, 150 bytes")
                    .contains("              100  66.7 %  buffer     [0, 2)           0")
                    .contains("               50  33.3 %  buffer     [1, 3)           1");
        }

        @Test
        void peakOfSeveralRolesHasASumForEachRole() throws IOException {
            Path graph = graph("roles.graph.json", """
                    {"id": 0, "name": "x", "role": "input", "shape": [16], "dtype": "f32"},
                    {"id": 1, "name": "w", "role": "param", "shape": [32], "dtype": "f32"},
                    {"id": 2, "name": "v", "role": "param", "shape": [16], "dtype": "f32"},
                    {"id": 3, "name": "y", "role": "output", "shape": [16], "dtype": "f32", "inputs": [0, 1, 2]}
                    """);
            assertThat(Cli.run("plan", graph.toString()).out().lines())
                    .containsSubsequence(
                            "              192  60.0 %  parameter                   all values of this role",
                            "               64  20.0 %  input                       all values of this role",
                            "               64  20.0 %  output                      all values of this role");
            assertThat(Cli.run("plan", csv.toString()).out()).doesNotContain("all values of this role");
        }

        @Test
        void peakDocumentHasEveryLiveValue() throws IOException {
            assertThat(Cli.run("plan", csv.toString(), "--json").out().replaceAll("\\s+", ""))
                    .contains("\"peak\":{\"step\":1,\"bytes\":150,\"count\":2,\"values\":[{\"id\":0,\"name\":\"0\","
                            + "\"role\":\"buffer\",\"size\":100,\"offset\":0,\"lower\":0,\"upper\":2},{\"id\":1,")
                    .contains("\"otherBytes\":0}");
        }
    }

    @Nested
    class Search {
        @Test
        void searchReportsWhyItStopped() throws IOException {
            Cli.Result result = Cli.run("plan", csv.toString(), "--json", "--strategy", "optimal", "--budget", "0.5");
            assertThat(result.exitCode()).isZero();
            assertThat(result.json())
                    .containsEntry("strategy", "optimal")
                    .containsEntry("end", "lower-bound-reached")
                    .containsEntry("provedOptimal", "true")
                    .containsEntry("provedLowerBoundBytes", "150");
            assertThat(Cli.run("plan", csv.toString(), "--strategy", "optimal").out())
                    .contains("search          optimal: the plan meets the lower bound (");
        }

        @Test
        void searchStopsAtTheCapacity() throws IOException {
            assertThat(Cli.run("plan", csv.toString(), "--json", "--strategy", "optimal", "--capacity", "200")
                            .json())
                    .containsEntry("fits", "true");
            Cli.Result result = Cli.run("plan", csv.toString(), "--strategy", "optimal", "--capacity", "149");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("no plan fits, since 150 bytes are live at one step, 1 too many");
        }

        @Test
        void budgetNeedsTheSearchAndIsPositive() {
            assertThat(Cli.run("plan", csv.toString(), "--budget", "3").err())
                    .isEqualTo("arena: --budget: expected --strategy optimal, which it limits, got --strategy balanced"
                            + System.lineSeparator());
            Cli.Result none = Cli.run("plan", csv.toString(), "--strategy", "optimal", "--budget", "0");
            assertThat(none.exitCode()).isEqualTo(2);
            assertThat(none.err())
                    .isEqualTo("arena: --budget: expected more than 0 and at most 1000000 seconds, got 0.0"
                            + System.lineSeparator());
        }

        @Test
        void proofNamesTheScheduleThatItHoldsFor() throws IOException {
            Path file = Files.writeString(
                    folder.resolve("chain.graph.json"),
                    "{\"format\":\"device-arena-graph/1\",\"name\":\"chain\",\"nodes\":["
                            + "{\"id\":0,\"role\":\"op\",\"shape\":[4],\"dtype\":\"f32\"},"
                            + "{\"id\":1,\"role\":\"output\",\"shape\":[4],\"dtype\":\"f32\",\"inputs\":[0]}]}");
            assertThat(Cli.run("plan", file.toString(), "--strategy", "optimal", "--reorder")
                            .out())
                    .contains("proved for      this schedule; another choice may need less");
            assertThat(Cli.run("plan", file.toString(), "--strategy", "optimal").out())
                    .contains("search          optimal: ")
                    .doesNotContain("proved for");
        }
    }

    @Nested
    class Graphs {
        @Test
        void sharingThatTheGraphDeclaresIsUsed() throws IOException {
            Path graph = graph("shared.graph.json", """
                    {"id": 0, "role": "op", "shape": [1, 16], "dtype": "f32"},
                    {"id": 1, "role": "op", "shape": [1, 16], "dtype": "f32", "inputs": [0], "inPlace": [0]},
                    {"id": 2, "role": "op", "shape": [1, 16], "dtype": "f32"},
                    {"id": 3, "role": "output", "shape": [2, 16], "dtype": "f32", "inputs": [1, 2], "concat": true}
                    """);
            assertThat(Cli.run("plan", graph.toString(), "--json").json())
                    .containsEntry("inPlace", "1")
                    .containsEntry("concatenated", "2")
                    .containsEntry("reordered", "false")
                    .containsEntry("arenaBytes", "128");
            assertThat(Cli.run("plan", graph.toString(), "--json").out().replaceAll("\\s+", ""))
                    .contains("\"shared\":[{\"value\":1,\"host\":0,\"reason\":\"in-place\"},"
                            + "{\"value\":1,\"host\":3,\"reason\":\"concatenation\"},"
                            + "{\"value\":2,\"host\":3,\"reason\":\"concatenation\"}]");
            assertThat(Cli.run("plan", graph.toString()).out())
                    .contains("shared slots    1 value in place, 2 in a concatenation");
            assertThat(Cli.run("run", graph.toString(), "--json").json())
                    .containsEntry("verifiedBytes", Integer.toString(64 * 3 + 128))
                    .containsEntry("ok", "true");
        }

        @Test
        void viewOfAPartIsReadInsideTheConcatenation() throws IOException {
            Path graph = graph("part.graph.json", """
                    {"id": 0, "role": "op", "shape": [1, 16], "dtype": "f32"},
                    {"id": 1, "role": "op", "shape": [1, 16], "dtype": "f32"},
                    {"id": 2, "role": "op", "shape": [2, 16], "dtype": "f32", "inputs": [0, 1], "concat": true},
                    {"id": 3, "role": "op", "shape": [16], "dtype": "f32", "inputs": [1], "viewOf": 1},
                    {"id": 4, "role": "output", "shape": [16], "dtype": "f32", "inputs": [2, 3]}
                    """);
            assertThat(Cli.run("plan", graph.toString(), "--json").json()).containsEntry("concatenated", "2");
            assertThat(Cli.run("run", graph.toString(), "--json").json())
                    .containsEntry("verifiedBytes", Integer.toString(64 * 4 + 128))
                    .containsEntry("ok", "true");
        }

        @Test
        void shareByOpUsesTheNamesOfOps() throws IOException {
            Path graph = graph("ops.graph.json", """
                    {"id": 0, "role": "op", "shape": [1, 16, 2], "dtype": "f32"},
                    {"id": 1, "role": "op", "op": "Relu", "shape": [1, 16, 2], "dtype": "f32", "inputs": [0]},
                    {"id": 2, "role": "op", "op": "Softmax", "shape": [1, 16, 2], "dtype": "f32", "inputs": [1]},
                    {"id": 3, "role": "op", "op": "Add", "shape": [1, 16, 2], "dtype": "f32", "inputs": [2], "after": [2]},
                    {"id": 5, "role": "op", "shape": [1, 16, 2], "dtype": "f32"},
                    {"id": 6, "role": "op", "op": "Concat", "shape": [1, 32, 2], "dtype": "f32", "inputs": [3, 5]},
                    {"id": 7, "role": "output", "op": "Concat", "shape": [1, 32, 4], "dtype": "f32", "inputs": [6, 6]}
                    """);
            assertThat(Cli.run("plan", graph.toString(), "--json").json())
                    .containsEntry("inPlace", "0")
                    .containsEntry("concatenated", "0");
            assertThat(Cli.run("plan", graph.toString(), "--json", "--share-by-op")
                            .json())
                    .containsEntry("inPlace", "2")
                    .containsEntry("concatenated", "2");
        }

        @Test
        void reorderChangesTheSchedule() throws IOException {
            StringBuilder nodes =
                    new StringBuilder("{\"id\": 0, \"role\": \"input\", \"shape\": [16], \"dtype\": \"f32\"}");
            for (int i = 11; i <= 14; i++) {
                nodes.append(",{\"id\": ").append(i);
                nodes.append(", \"role\": \"op\", \"shape\": [4096], \"dtype\": \"f32\", \"inputs\": [0]}");
            }
            for (int i = 11; i <= 14; i++) {
                nodes.append(",{\"id\": ").append(10 + i);
                nodes.append(", \"role\": \"output\", \"shape\": [16], \"dtype\": \"f32\", \"inputs\": [");
                nodes.append(i).append("]}");
            }
            Path graph = graph("branches.graph.json", nodes.toString());
            Path out = folder.resolve("reordered.csv");
            Cli.Result result = Cli.run("plan", graph.toString(), "--json", "--reorder", "--out", out.toString());

            assertThat(result.json())
                    .containsEntry("reordered", "true")
                    .containsEntry("arenaBytes", Integer.toString(64 + 4 * 64 + 4 * 4096));
            assertThat(Files.readString(out)).startsWith("id,lower,upper,size,offset\n0,0,8,64,0\n11,0,2,16384,");
            assertThat(Cli.run("plan", graph.toString(), "--reorder").out()).contains("schedule        reordered");
            assertThat(Cli.run("run", graph.toString(), "--json", "--reorder").json())
                    .containsEntry("ok", "true");
        }

        @Test
        void forwardAndBackwardGraphShareOneArena() throws IOException {
            Path forward = graph("forward.graph.json", """
                    {"id": 0, "role": "input", "shape": [16], "dtype": "f32"},
                    {"id": 1, "role": "param", "shape": [16], "dtype": "f32"},
                    {"id": 2, "role": "op", "shape": [16], "dtype": "f32", "inputs": [0, 1]},
                    {"id": 3, "role": "op", "shape": [16], "dtype": "f32", "inputs": [2, 1]},
                    {"id": 4, "role": "op", "shape": [16], "dtype": "f32", "inputs": [3, 1]}
                    """);
            Path backward = graph("backward.graph.json", """
                    {"id": 1, "role": "param", "shape": [16], "dtype": "f32"},
                    {"id": 2, "role": "input", "shape": [16], "dtype": "f32"},
                    {"id": 4, "role": "input", "shape": [16], "dtype": "f32"},
                    {"id": 5, "role": "op", "shape": [16], "dtype": "f32", "inputs": [4, 1]},
                    {"id": 6, "role": "output", "shape": [16], "dtype": "f32", "inputs": [5, 2]}
                    """);
            for (String order : new String[] {"--align=64", "--reorder"}) {
                assertThat(Cli.run("plan", forward.toString(), "--backward", backward.toString(), "--json", order)
                                .json())
                        .containsEntry("buffers", "7")
                        .containsEntry("arenaBytes", Integer.toString(64 * 5));
            }
            assertThat(Cli.run("run", forward.toString(), "--backward", backward.toString(), "--json")
                            .json())
                    .containsEntry("ok", "true")
                    .containsEntry("verifiedBytes", Integer.toString(64 * 7));
            Cli.Result table = Cli.run("plan", csv.toString(), "--backward", backward.toString());
            assertThat(table.exitCode()).isEqualTo(2);
            assertThat(table.err())
                    .isEqualTo(
                            "arena: three.csv: expected a graph (.graph.json) for training with --backward, got a table of"
                                    + " buffers" + System.lineSeparator());
        }
    }

    @Test
    void aStateIsUpdatedInPlace() throws IOException {
        String state = "{\"id\": 0, \"role\": \"state\", \"dtype\": \"f32\", \"shape\": [64]},";
        String read = "{\"id\": 1, \"role\": \"op\", \"dtype\": \"f32\", \"shape\": [16], \"inputs\": [0]}";
        String update =
                "{\"id\": 2, \"role\": \"output\", \"dtype\": \"f32\", \"shape\": [64], \"inputs\": [1], \"updates\": 0}";
        Cli.Result updated = Cli.run(
                "plan", graph("a.graph.json", state + read + "," + update).toString(), "--json");
        Cli.Result stale = Cli.run(
                "plan",
                graph("b.graph.json", state + update.replace("[1]", "[]") + "," + read)
                        .toString());

        assertThat(updated.err()).isEmpty();
        assertThat(updated.json()).containsEntry("arenaBytes", String.valueOf(256 + 64));
        assertThat(stale.exitCode()).isEqualTo(2);
        assertThat(stale.err())
                .contains("b.graph.json: line 1, column ")
                .contains("node 1: expected to read node 0 before node 2 updates it, got this order; read node 2"
                        + " instead");
    }
}
