package io.devicearena.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong input files: one line on standard error with file, line and column, and exit code 2. */
class PlanInputTest {
    @TempDir
    Path folder;

    /** A file with a graph whose nodes are on its second line. */
    private Path graph(String name, String nodes) throws IOException {
        return Files.writeString(
                folder.resolve(name + ".graph.json"),
                "{\"format\": \"device-arena-graph/1\", \"nodes\": [\n" + nodes + "]}");
    }

    private static void assertRejected(Path file, String message) {
        Cli.Result result = Cli.run("plan", file.toString());
        assertThat(result.err()).isEqualTo("arena: " + file + message + System.lineSeparator());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    @Nested
    class ParserLimits {
        @Test
        void nestingIsLimited() throws IOException {
            assertRejected(graph("deep", "[".repeat(1100)), ": line 2, column 1: expected a node, got '['");
            assertRejected(
                    graph("deeper", "{\"x\":\n" + "[".repeat(1100)),
                    ": line 3, column 999: expected at most 1000 lists and objects inside one another, got more; write a"
                            + " flatter graph");
        }

        @Test
        void numbersAreLimited() throws IOException {
            assertRejected(
                    graph("number", "{\n\"id\": " + "1".repeat(1001) + "}"),
                    ": line 3, column 1008: expected a number of at most 1000 digits, got more; shorten it");
            assertRejected(
                    graph("range", "{\n\"id\": 9223372036854775808}"),
                    ": line 3, column 7: id: expected a whole number from 0 to 9223372036854775807, got"
                            + " '9223372036854775808'");
        }

        @Test
        void keysAreLimited() throws IOException {
            assertRejected(
                    graph("key", "{\n\"" + "k".repeat(50_001) + "\": 1}"),
                    ": line 3, column 50004: expected a key of at most 50000 characters, got more; shorten it");
        }

        @Test
        void textsAreLimited() throws IOException {
            assertRejected(
                    graph("text", "{\n\"name\": \"" + "t".repeat(20_000_001) + "\"}"),
                    ": line 3, column 20000012: expected a text of at most 20000000 characters, got more; shorten it");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "NaN",
                    "+1",
                    "01",
                    ".5",
                    "1.",
                    "'a'",
                    "/* a */",
                    "# a",
                    "\"\\q\"",
                    "\"\t\"",
                    "[1,]",
                    "Infinity",
                    "a"
                })
        void messagesNameNoSettingOfTheParser(String value) throws IOException {
            Cli.Result result =
                    Cli.run("plan", graph("value", "{\n\"x\": " + value + "}").toString());
            assertThat(result.err())
                    .contains(".graph.json: line 3, column ")
                    .doesNotContain("Feature", "ALLOW", "Constraints", "getMax", "java", "Source")
                    .hasLineCount(1);
            assertThat(result.exitCode()).isEqualTo(2);
        }
    }

    @Nested
    class GraphFile {
        @ParameterizedTest
        @ValueSource(strings = {"m.graph.json", "m.csv"})
        void whatLiesInPlaceOfAFileIsNamed(String name) throws IOException {
            Path file = Files.writeString(
                    folder.resolve(name),
                    "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0".repeat(64) + "\nsize 2531\n");
            assertRejected(
                    file, ": expected a file of 2531 bytes, got a Git LFS pointer: fetch the file with git lfs pull");
            assertRejected(
                    Files.writeString(file, "<html><body>Sign in</body></html>"),
                    ": expected the file itself, got a web page: the download failed or needs a login");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "no json at all       | hello | line 1, column 1: expected a value, got 'hello'",
                    "a list               | [] | line 1, column 1: expected an object with 'format' and 'nodes', got '['",
                    "no format            | {\"nodes\": []} | line 1, column 13: format: expected 'device-arena-graph/1', got"
                            + " no such key",
                    "another format       | {\"format\": \"onnx\"} | line 1, column 12: format: expected"
                            + " 'device-arena-graph/1', got 'onnx'",
                    "no nodes             | {\"format\": \"device-arena-graph/1\"} | line 1, column 34: nodes: expected a list"
                            + " of nodes, got no such key",
                    "a text for an id     | {\"format\": \"device-arena-graph/1\", \"nodes\": [{\"id\": \"x\"}]} | line 1,"
                            + " column 53: expected id: a whole number, got 'x'",
                    "a negative id        | {\"format\": \"device-arena-graph/1\", \"nodes\": [{\"id\": -4}]} | line 1,"
                            + " column 53: id: expected 0 or more, got -4",
                    "a node without role  | {\"format\": \"device-arena-graph/1\", \"nodes\": [{\"id\": 4}]} | line 1, column"
                            + " 54: node: expected a key 'role', got none",
                    "an unknown role      | {\"format\": \"device-arena-graph/1\", \"nodes\": [{\"role\": \"king\"}]} | line"
                            + " 1, column 55: role: expected input, param, constant, state, op or output, got 'king'",
                    "an unknown dtype     | {\"format\": \"device-arena-graph/1\", \"nodes\": [{\"dtype\": \"f8\"}]} | line 1,"
                            + " column 56: dtype: expected one of f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64,"
                            + " bool, got 'f8'",
                    "text after the graph | {\"format\": \"device-arena-graph/1\", \"nodes\": []} garbage | line 1, column 49:"
                            + " expected a value, got 'garbage'",
                    "another graph after  | {\"format\": \"device-arena-graph/1\", \"nodes\": []}{} | line 1, column 48: expected"
                            + " the end of the file after the graph, got '{'",
                    "nodes twice          | {\"format\": \"device-arena-graph/1\", \"nodes\": [], \"nodes\": []} | line 1, column"
                            + " 49: expected each key once, got 'nodes' twice",
                    "a node's key twice   | {\"format\": \"device-arena-graph/1\", \"nodes\": [{\"id\": 0, \"id\": 1}]} | line 1,"
                            + " column 56: expected each key once, got 'id' twice",
                    "not a number         | {\"\u00ff\": [NaN]} | line 1, column 8: expected a value, got 'NaN'",
                    "a comma too many     | {\"x\": 1,} | line 1, column 9: expected a key in quotes, got '}'",
                    "a list too many      | {\"x\": [1,]} | line 1, column 10: expected a value, got ']'",
                    "no comma             | {\"x\": 1 \"y\": 2} | line 1, column 9: expected ',' or '}', got '\"'",
                    "another bracket      | {\"x\": [1}} | line 1, column 9: expected ',' or ']', got '}'",
                    "no colon             | {\"x\" 1} | line 1, column 6: expected ':' behind the key, got '1'",
                    "a half               | {\"x\": [1 | line 1, column 9: expected the rest of the graph, got the end of"
                            + " the file",
                })
        void wrongGraphIsRejectedWithItsPosition(String what, String text, String message) throws IOException {
            assertRejected(Files.writeString(folder.resolve("wrong.graph.json"), text), ": " + message);
        }

        @Test
        void emptyGraphFileIsRejected() throws IOException {
            assertRejected(
                    Files.createFile(folder.resolve("empty.graph.json")),
                    ": line 1, column 1: expected a graph of format 'device-arena-graph/1', got an empty file");
        }

        @Test
        void shapeThatOverflowsIsRejected() throws IOException {
            Path graph = Files.writeString(folder.resolve("huge.graph.json"), """
                    {"format": "device-arena-graph/1", "nodes": [
                    {"id": 0, "role": "input", "shape": [4294967296, 4294967296], "dtype": "f32"}]}
                    """);
            assertRejected(
                    graph,
                    ": line 2, column 77: shape: expected at most 9223372036854775807 elements, got [4294967296,"
                            + " 4294967296]");
        }

        @Test
        void longValueIsCutAndControlCharactersAreEscaped() throws IOException {
            assertRejected(
                    Files.writeString(
                            folder.resolve("long.graph.json"),
                            "{\"format\": \"device-arena-graph/1\", \"nodes\": [{\"role\": \"\\u001b"
                                    + "k".repeat(5_000_000) + "\"}]}"),
                    ": line 1, column 55: role: expected input, param, constant, state, op or output, got '\\u001b"
                            + "k".repeat(199) + "…'");
        }
    }

    @Nested
    class PlannersErrors {
        @Test
        void missingInputIsRejectedWithTheNode() throws IOException {
            Path graph = Files.writeString(folder.resolve("dangling.graph.json"), """
                    {"format": "device-arena-graph/1", "nodes": [
                    {"id": 0, "name": "a", "role": "op", "shape": [1], "dtype": "f32", "inputs": [5]}]}
                    """);
            assertRejected(
                    graph,
                    ": line 2, column 1: node 0 'a': expected inputs that are nodes of the graph, got node 5; add it");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "a cycle        | {\"id\": 1, N, \"inputs\": [2]} | {\"id\": 2, N, \"inputs\": [1]} | line 2, column 1: graph:"
                            + " expected no cycle, got node 1 reads node 2 reads node 1",
                    "an id twice    | {\"id\": 1, N} | {\"id\": 1, N} | line 3, column 1: id: expected a unique one, got 1,"
                            + " which the node at line 2, column 1 has too",
                    "a view         | {\"id\": 1, N} | {\"id\": 2, N, \"viewOf\": 3} | line 3, column 1: node 2: expected a view"
                            + " of an earlier node, got node 3, which is not in the graph",
                    "a concatenation | {\"id\": 1, N} | {\"id\": 2, N, \"concat\": true} | line 3, column 1: node 2: expected a"
                            + " concatenation of inputs of 4 elements in all, got 0",
                    "what runs after | {\"id\": 1, N} | {\"id\": 2, N, \"after\": [9]} | line 3, column 1: node 2: expected control"
                            + " dependencies on earlier nodes, got node 9, which is not in the graph",
                })
        void errorOfThePlannerHasAPosition(String what, String first, String second, String message)
                throws IOException {
            String nodes =
                    (first + ",\n" + second).replace("N", "\"role\": \"op\", \"shape\": [4], \"dtype\": \"f32\"");
            Path graph = Files.writeString(
                    folder.resolve("wrong.graph.json"),
                    "{\"format\": \"device-arena-graph/1\", \"nodes\": [\n" + nodes + "]}");
            assertRejected(graph, ": " + message);
        }

        @Test
        void unknownOutputIsRejectedWithThePositionOfTheList() throws IOException {
            assertRejected(
                    Files.writeString(
                            folder.resolve("outputs.graph.json"),
                            "{\"format\": \"device-arena-graph/1\",\n\"outputs\": [9], \"nodes\": []}"),
                    ": line 2, column 12: outputs: expected nodes of the graph, got node 9, which is not in it");
        }
    }

    @Nested
    class BackwardGraph {
        @Test
        void errorNamesTheGraphThatCausesIt() throws IOException {
            Path forward = graph("f", "{\"id\": 0, \"role\": \"input\", \"shape\": [4], \"dtype\": \"f32\"}");
            Path missing = graph(
                    "missing", "{\"id\": 7, \"role\": \"op\", \"shape\": [4], \"dtype\": \"f32\", \"inputs\": [0]}");
            Path other = graph("other", "{\"id\": 0, \"role\": \"input\", \"shape\": [5], \"dtype\": \"f32\"}");
            assertThat(Cli.run("plan", forward.toString(), "--backward", missing.toString())
                            .err())
                    .isEqualTo("arena: " + missing
                            + ": line 2, column 1: node 7: expected inputs that are nodes of the graph,"
                            + " got node 0; add it" + System.lineSeparator());
            assertThat(Cli.run("plan", forward.toString(), "--backward", other.toString())
                            .err())
                    .isEqualTo("arena: " + forward + ": line 2, column 1 and " + other
                            + ": line 2, column 1: node 0: expected"
                            + " the same value in all phases, got 4 elements of f32 and in 'backward' 5 of f32"
                            + System.lineSeparator());
        }

        @Test
        void backwardGraphWithoutCommonValuesIsRejected() throws IOException {
            Path forward = graph("f", "{\"id\": 0, \"role\": \"input\", \"shape\": [4], \"dtype\": \"f32\"}");
            Path stranger = graph(
                    "stranger",
                    "{\"id\": 10, \"role\": \"input\", \"shape\": [4], \"dtype\": \"f32\"},"
                            + "{\"id\": 11, \"role\": \"op\", \"shape\": [4], \"dtype\": \"f32\", \"inputs\": [10]}");
            Cli.Result refused = Cli.run("plan", forward.toString(), "--backward", stranger.toString());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .isEqualTo("arena: " + stranger + ": expected a backward graph that has values of " + forward
                            + " under the same ids, for example the weights, got none among its 2 values; give them the same"
                            + " ids, or plan each graph by itself" + System.lineSeparator());
        }
    }

    @Nested
    class Table {
        @Test
        void emptyTableIsRejected() throws IOException {
            assertRejected(
                    Files.createFile(folder.resolve("empty.csv")),
                    ": line 1, column 1: expected the header 'id,lower,upper,size', got an empty file");
        }

        @Test
        void textInsteadOfANumberIsRejectedWithItsPosition() throws IOException {
            assertRejected(
                    Files.writeString(folder.resolve("text.csv"), "id,lower,upper,size\n0,0,1,8\n1,0,abc,8\n"),
                    ": line 3, column 5: upper: expected a whole number from 0 to 9223372036854775807, got 'abc'");
        }

        @Test
        void lineOfTwentyMegabytesIsRejected() throws IOException {
            assertRejected(
                    Files.writeString(folder.resolve("long.csv"), "id,lower,upper,size\n" + "1".repeat(20_000_000)),
                    ": line 2, column 65537: expected a line of at most 65536 characters, got a longer one; is this the right"
                            + " file?");
        }

        @Test
        void bytesThatAreNotUtf8AreRejected() throws IOException {
            assertRejected(
                    Files.write(folder.resolve("bytes.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1}),
                    ": expected text in UTF-8, got other bytes");
        }

        @Test
        void sizesThatOverflowAreRejected() throws IOException {
            assertRejected(
                    Files.writeString(
                            folder.resolve("sum.csv"),
                            "id,lower,upper,size\n5,0,1,4611686018427387904\n6,1,2,4611686018427387904\n"),
                    ": line 3, column 1: size: expected the sizes of all buffers to add up to at most 9223372036854775807"
                            + " bytes, got more with this one of 4611686018427387904");
            assertRejected(
                    Files.writeString(folder.resolve("max.csv"), "id,lower,upper,size\n5,0,1,9223372036854775807\n"),
                    ": buffer 5: expected all sizes, each rounded up to a multiple of 1, to add up to at most"
                            + " 9223372036854775806 bytes, got more with its 9223372036854775807; make them smaller");
        }
    }

    @Nested
    class FileSystem {
        @Test
        void missingFileFolderAndOtherKindOfFileAreRejected() throws IOException {
            assertRejected(folder.resolve("none.csv"), ": expected a file, found none of that name");
            assertRejected(folder, ": expected a file, got a folder");
            assertRejected(
                    Files.createFile(folder.resolve("model.pb")),
                    ": expected a name that ends in .onnx or .graph.json (a graph) or .csv (buffers)");
        }

        @Test
        void emptyNameIsRejected() {
            Cli.Result result = Cli.run("plan", "");
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .isEqualTo(
                            "arena: file: expected the name of a graph (.graph.json) or of buffers (.csv), got an empty one"
                                    + System.lineSeparator());
        }

        @Test
        void unreadableFileIsRejectedWithTheReason() throws IOException {
            Path table = Files.writeString(folder.resolve("table.csv"), "id,lower,upper,size\n");
            assertRejected(table.resolve("y.csv"), ": the file cannot be read: not a directory; name another one");
            assertRejected(
                    folder.resolve("x".repeat(300) + ".csv"),
                    ": the file cannot be read: file name too long; name another one");
            for (String name : List.of("loop.csv", "loop.graph.json")) {
                Path loop = Files.createSymbolicLink(folder.resolve(name), Path.of(name));
                assertRejected(loop, ": the file cannot be read: a loop of links; name another one");
            }
        }

        @Test
        void fileWithoutPermissionIsRejected() throws IOException {
            for (String name : List.of("secret.csv", "secret.graph.json")) {
                Path secret = Files.createFile(folder.resolve(name));
                assumeTrue(
                        secret.toFile().setReadable(false) && !Files.isReadable(secret),
                        "a user whom permissions bind");
                assertRejected(secret, ": the file cannot be read: no permission; name another one");
            }
        }
    }
}
