package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.StringStringEntryProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.WeightLoader;
import io.devicearena.weights.WeightSource;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that break the format, by fault or on purpose: each is refused with the file, the place and the reason. */
@Timeout(300)
class HostileOnnxTest {
    @TempDir
    private Path folder;

    private Path write(byte... bytes) {
        try {
            return Files.write(folder.resolve("hostile.onnx"), bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private AbstractThrowableAssert<?, ?> assertRefused(byte... bytes) {
        Path path = write(bytes);
        return assertThatThrownBy(() -> OnnxModel.open(path).close())
                .isInstanceOf(WeightFileException.class)
                .hasMessageStartingWith(path + ", byte ");
    }

    private AbstractThrowableAssert<?, ?> assertRefused(GraphProto.Builder graph) {
        return assertRefused(Models.model(graph).toByteArray());
    }

    @Test
    void open_fileCutAtEveryByte_opensOrIsRefused() {
        byte[] whole = Models.layer().toByteArray();
        int refused = 0;
        for (int length = 0; length < whole.length; length++) {
            Path path = write(Arrays.copyOf(whole, length));
            try (OnnxModel model = OnnxModel.open(path)) {
                assertThat(model.weights().tensors()).isNotNull();
            } catch (WeightFileException e) {
                assertThat(e.offset()).isBetween(0L, (long) length);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(whole.length * 9 / 10);
    }

    @Test
    void open_otherFile_isRefused() {
        Map<String, String> files = Map.of(
                "",
                "an empty file",
                "GGUF is another format",
                "a GGUF file",
                "PK\3\4 and a name",
                "a zip archive, as PyTorch writes its files; unpack it, or convert the model to safetensors",
                "ir_version: 8\ngraph { }",
                "a text that begins with 'ir_version: 8'",
                "\0\1\2\3\4\5\6\7\0",
                "a field of the ONNX format, got 0",
                "\u00F8\1\1\2\3\4\5\6\7\0",
                "a file of another format");
        files.forEach((bytes, what) -> assertThatThrownBy(
                        () -> OnnxModel.open(write(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                                .close())
                .isInstanceOf(WeightFileException.class)
                .hasMessage(folder.resolve("hostile.onnx") + ", byte 0: expected "
                        + (what.startsWith("a field") ? what : "an ONNX file, got " + what)));
    }

    @Test
    void open_fileCutShort_saysSo() {
        byte[] whole = Models.layer().toByteArray();
        assertRefused(Arrays.copyOf(whole, whole.length - 10))
                .hasMessageMatching(
                        "(?s).*field \\d+: expected at most \\d+ bytes, which are left, got \\d+; the file is cut"
                                + " short or damaged");
    }

    @Test
    void open_fieldOfAnotherKind_isRefusedAtItsByte() {
        assertThatThrownBy(() -> OnnxModel.open(
                                write((byte) 0x08, (byte) 8, (byte) 0x2d, (byte) 0, (byte) 0, (byte) 0, (byte) 0))
                        .close())
                .isInstanceOf(WeightFileException.class)
                .hasMessage(folder.resolve("hostile.onnx")
                        + ", byte 2: onnx.ModelProto.model_version: expected an integer, got a number of 4 bytes");
    }

    @Test
    void open_listThatEndsWithinANumber_isRefusedAtItsByte() {
        byte[] tensor = delimited(1, new byte[] {(byte) 0x80});
        assertRefused(delimited(7, delimited(5, tensor)))
                .hasMessage(folder.resolve("hostile.onnx")
                        + ", byte 4: onnx.TensorProto.dims: expected a list of whole numbers, got other bytes");
    }

    @Test
    void open_messagesNestedTooDeep_isRefused() {
        byte[] nested = {};
        for (int i = 0; i < 10_000; i++) { // a graph in an attribute of a node of a graph
            nested = delimited(i % 3 == 0 ? 1 : i % 3 == 1 ? 6 : 5, nested);
        }
        assertRefused(delimited(7, nested)).hasMessageContaining("expected at most 64 levels of messages, got more");
    }

    private static byte[] delimited(int field, byte... content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write((field << 3) | 2);
        int length = content.length;
        while (length > 0x7F) {
            out.write((length & 0x7F) | 0x80);
            length >>>= 7;
        }
        out.write(length);
        out.writeBytes(content);
        return out.toByteArray();
    }

    @Test
    void open_lengthOf2To63_isRefused() {
        assertRefused(HexFormat.of().parseHex("3affffffffffffffff7f"))
                .hasMessageContaining("field 7: expected at most 0 bytes, which are left, got 9223372036854775807");
        assertRefused(HexFormat.of().parseHex("3affffffffffffffffff01"))
                .hasMessageContaining("field 7: expected at most 0 bytes, which are left, got 18446744073709551615");
        assertRefused(HexFormat.of().parseHex("3affffffffffffffffffff01"))
                .hasMessageContaining("expected a number of at most 10 bytes, got more");
    }

    @Test
    void open_millionsOfEmptyMessages_areRefusedBeforeTheHeapIsFull() {
        byte[] nodes = new byte[48 << 20];
        for (int i = 0; i < nodes.length; i += 2) {
            nodes[i] = (1 << 3) | 2;
        }
        assertRefused(delimited(7, nodes)).hasMessageContaining("give the JVM more with -Xmx");
    }

    @Test
    void open_groupsAndFieldZero_areRefused() {
        assertRefused((byte) 0x3b, (byte) 0)
                .hasMessageContaining("field 7: expected a number or a length, got neither (code 3)");
        assertRefused((byte) 0x02, (byte) 0).hasMessageContaining("expected a field of the ONNX format, got 2");
    }

    @Test
    void open_nameTwice_isRefused() {
        assertRefused(GraphProto.newBuilder()
                        .addInitializer(Models.floats("w", List.of(1L), 1))
                        .addInitializer(Models.floats("w", List.of(1L), 2)))
                .hasMessageContaining("tensor 'w': expected each name once, got it again");
    }

    @Test
    void graph_valueMadeTwice_isRefused() {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", 1))
                .addNode(Models.node("Sqrt", List.of("x"), "y"))
                .addNode(Models.node("Exp", List.of("x"), "y"));
        assertRefusedGraph(graph, "node 'Exp_of_y' (Exp): expected outputs with names of their own, got 'y' again");
    }

    @Test
    void graph_valuesThatAreMadeOfEachOther_areRefused() {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addNode(Models.node("Sqrt", List.of("later"), "y"))
                .addNode(Models.node("Exp", List.of("y"), "later"));
        assertRefusedGraph(
                graph,
                "node 'Sqrt_of_y' (Sqrt): expected values that are made before they are read, got a cycle of 2 nodes:"
                        + " node 'Sqrt_of_y' (Sqrt) reads from node 'Exp_of_later' (Exp) reads from node 'Sqrt_of_y'"
                        + " (Sqrt)");
    }

    private void assertRefusedGraph(GraphProto.Builder graph, String problem) {
        Path path = write(Models.model(graph).toByteArray());
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThatThrownBy(() -> model.graph(Map.of(), Optional.empty()))
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(path + ": " + problem);
        }
    }

    @Test
    void graph_valueOfTexts_isRefused() {
        GraphProto.Builder graph = GraphProto.newBuilder();
        graph.addInput(Models.value("x", 1));
        graph.getInputBuilder(0).getTypeBuilder().getTensorTypeBuilder().setElemType(8);
        assertRefusedGraph(graph, "input 'x': expected a tensor of numbers with a shape, got STRING");
    }

    @Test
    void open_nameWithTerminalEscapes_isRefusedAndEscaped() {
        assertRefused(GraphProto.newBuilder().addInitializer(Models.floats("\u001b[2Jw", List.of(1L), 1)))
                .hasMessageContaining("expected a text without control characters, got '\\u001b[2Jw'");
    }

    @Test
    void open_nameOfOtherBytes_isRefused() {
        NodeProto node = Models.node("Relu", List.of(), "y").toBuilder()
                .setNameBytes(ByteString.copyFrom(new byte[] {(byte) 0xC3, 0x28}))
                .build();
        assertRefused(GraphProto.newBuilder().addNode(node))
                .hasMessageContaining("onnx.NodeProto.name: expected text in UTF-8, got other bytes");
    }

    @Test
    void open_tensorWithoutElements_hasNoBytes() {
        Path path = write(Models.model(GraphProto.newBuilder()
                        .addInitializer(Models.floats("none", List.of(0L, Long.MAX_VALUE), new float[0])))
                .toByteArray());
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThat(model.weights().tensor("none").orElseThrow().bytes()).isZero();
        }
    }

    @Test
    void open_tensorOfAnUnknownType_isRefused() {
        TensorProto.Builder tensor = TensorProto.newBuilder().setName("w").setDataType(99);
        assertRefused(GraphProto.newBuilder().addInitializer(tensor))
                .hasMessageContaining("tensor 'w': expected numbers of a fixed size, got type 99");
        assertRefused(GraphProto.newBuilder().addInitializer(tensor.setDataType(8)))
                .hasMessageContaining("tensor 'w': expected numbers of a fixed size, got STRING");
    }

    @Test
    void open_shapeThatDataDoNotFill_isRefused() {
        assertRefused(GraphProto.newBuilder().addInitializer(Models.floats("w", List.of(3L), 1)))
                .hasMessageContaining("tensor 'w': expected 12 bytes for F32 [3], got 4");
        assertRefused(GraphProto.newBuilder().addInitializer(Models.floats("w", List.of(1L << 62, 1L << 62), 1)))
                .hasMessageContaining("expected a shape of at most 9223372036854775807 bytes");
        assertRefused(GraphProto.newBuilder().addInitializer(Models.floats("w", List.of(-1L), 1)))
                .hasMessageContaining("expected dimensions of 0 or more, got the shape [-1]");
        assertRefused(GraphProto.newBuilder()
                        .addInitializer(Models.longs("w", 1, 2).toBuilder().addDims(2)))
                .hasMessageContaining("tensor 'w': expected 32 bytes for I64 [2, 2], got numbers of 16");
    }

    private static ModelProto external(String location, String... more) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName("w")
                .setDataType(1)
                .addDims(4)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue(location));
        for (int i = 0; i < more.length; i += 2) {
            tensor.addExternalData(
                    StringStringEntryProto.newBuilder().setKey(more[i]).setValue(more[i + 1]));
        }
        return Models.model(GraphProto.newBuilder().addInitializer(tensor));
    }

    @Test
    void externalData_areReadFromTheFileBesideTheModel() throws IOException {
        Files.write(folder.resolve("w.data"), new byte[32]);
        Path path = write(external("w.data", "offset", "16", "length", "16").toByteArray());
        try (OnnxModel model = OnnxModel.open(path)) {
            WeightSource weights = model.weights();
            Tensor tensor = weights.tensor("w").orElseThrow();
            assertThat(tensor.file()).isEqualTo(folder.resolve("w.data"));
            assertThat(tensor.offset()).isEqualTo(16);
            assertThat(weights.bytes(tensor).byteSize()).isEqualTo(16);
        }
    }

    @Test
    void externalData_outsideOfTheFolder_areRefused() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Files.write(folder.resolve("secret"), new byte[16]);
        Files.createSymbolicLink(inner.resolve("link"), folder.resolve("secret"));
        for (String location : List.of("../secret", folder.resolve("secret").toString(), "", "a/../../secret")) {
            assertRefused(external(location).toByteArray())
                    .hasMessageContaining("tensor 'w': expected external data in a file of the model's folder, got the"
                            + " location '" + location + "'");
        }
        Path path = Files.write(inner.resolve("m.onnx"), external("link").toByteArray());
        assertThatThrownBy(() -> OnnxModel.open(path).close())
                .isInstanceOf(WeightFileException.class)
                .hasMessageContaining("expected external data in the model's folder, got " + inner.resolve("link"));
    }

    @Test
    void externalData_ofLengthZero_haveTheLengthOfTheirShape() throws IOException {
        Files.write(folder.resolve("w.data"), new byte[32]);
        Path path = write(external("w.data", "offset", "8", "length", "0").toByteArray());
        try (OnnxModel model = OnnxModel.open(path)) {
            Tensor tensor = model.weights().tensor("w").orElseThrow();
            assertThat(model.weights().bytes(tensor).byteSize()).isEqualTo(16);
        }
        assertRefused(external("w.data", "length", "many").toByteArray())
                .hasMessageContaining(
                        "tensor 'w': expected external data with the length as a number of 0 or more, got" + " 'many'");
    }

    @Test
    void externalData_inAFileOfTwoNames_areRefused() throws IOException {
        Path data = Files.write(folder.resolve("w.data"), new byte[16]);
        Files.createLink(folder.resolve("other name"), data);
        assertRefused(external("w.data").toByteArray())
                .hasMessageContaining("tensor 'w': expected external data in a file of one name, got " + data
                        + " of 2, which may be outside of the model's folder; replace it by a copy");
    }

    @Test
    void externalData_inAFolder_areRefused() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        assertRefused(external("inner").toByteArray())
                .hasMessageContaining(
                        "tensor 'w': expected external data in a file, got " + inner + ", which is no file");
    }

    @Test
    void open_placeholder_isRefusedAsOne() throws IOException {
        String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 16\n";
        String problem =
                ", byte 0: expected a file of 16 bytes, got a Git LFS pointer: fetch the file with git lfs pull";
        Path model = write(pointer.getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> OnnxModel.open(model).close()).hasMessage(model + problem);
        Path data = Files.writeString(folder.resolve("w.data"), pointer);
        Path whole = write(external("w.data", "offset", "60").toByteArray());
        assertThatThrownBy(() -> OnnxModel.open(whole).close())
                .isInstanceOf(WeightFileException.class)
                .hasMessage(data + problem);
        Path page = write("\u00EF\u00BB\u00BF<HTML lang=en>".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> OnnxModel.open(page).close())
                .hasMessage(page + ", byte 0: expected the file itself, got a web page: the download failed or needs a"
                        + " login");
    }

    @Test
    void externalData_missingLoopingOrTooShort_areRefused() throws IOException {
        assertRefused(external("none").toByteArray()).hasMessageContaining("no such file");
        Files.createSymbolicLink(folder.resolve("a"), folder.resolve("b"));
        Files.createSymbolicLink(folder.resolve("b"), folder.resolve("a"));
        assertRefused(external("a").toByteArray()).hasMessageContaining("tensor 'w': expected external data");
        Files.write(folder.resolve("short"), new byte[8]);
        Path path = write(external("short").toByteArray());
        assertThatThrownBy(() -> OnnxModel.open(path).close())
                .isInstanceOf(WeightFileException.class)
                .hasMessage(folder.resolve("short") + ", byte 0: tensor 'w' of " + path
                        + ": expected 16 bytes from byte 0, got a file of 8");
        assertRefused(external("short", "offset", "-1").toByteArray())
                .hasMessageContaining("expected external data with the offset as a number of 0 or more, got '-1'");
        Path huge = write(external("short", "offset", "9223372036854775807").toByteArray());
        assertThatThrownBy(() -> OnnxModel.open(huge).close()).isInstanceOf(WeightFileException.class);
    }

    @Test
    void load_externalDataThatShrank_areRefused() throws IOException {
        Path data = Files.write(folder.resolve("w.data"), new byte[16]);
        ModelProto.Builder whole = external("w.data").toBuilder();
        whole.getGraphBuilder().addNode(Models.node("Relu", List.of("w"), "y")).addOutput(Models.value("y", 4));
        try (OnnxModel model = OnnxModel.open(write(whole.build().toByteArray()))) {
            MemoryPlan plan = MemoryPlanner.plan(model.graph(Map.of(), Optional.empty()), PlanOptions.declared(64))
                    .plan();
            try (DeviceArena arena =
                            DeviceArenas.open(plan, ArenaOptions.defaults().withProvider("cpu"));
                    FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
                channel.truncate(4);
                assertThatThrownBy(() -> WeightLoader.of(model.weights(), arena).load())
                        .isInstanceOf(WeightFileException.class)
                        .hasMessageStartingWith(data + ", byte ")
                        .hasMessageContaining("it shrank");
            }
        }
    }

    @Test
    void graph_fileShrunk_isRefused() throws IOException {
        ModelProto whole = Models.model(GraphProto.newBuilder()
                .addInput(Models.value("x", 1))
                .addInitializer(Models.floats("w", List.of(1L << 18), new float[1 << 18]))
                .addInitializer(Models.longs("axes", 1, 2, 3))
                .addNode(Models.node("Sum", List.of("x", "w", "axes"), "y")));
        Path path = write(whole.toByteArray());
        try (OnnxModel model = OnnxModel.open(path);
                var channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            assertThatThrownBy(() -> model.graph(Map.of(), Optional.of(small -> Map.of())))
                    .isInstanceOf(WeightFileException.class)
                    .hasMessageContaining("the file shrank or failed");
        }
    }
}
