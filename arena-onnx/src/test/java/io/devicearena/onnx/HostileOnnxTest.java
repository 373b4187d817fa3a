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
        assertRefused().hasMessageContaining("expected an ONNX model with a graph, got none");
        assertRefused("GGUF is another format".getBytes(StandardCharsets.US_ASCII))
                .hasMessageContaining("expected");
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
        assertRefused((byte) 0x3b).hasMessageContaining("field 7: expected wire type 0, 1, 2 or 5, got 3");
        assertRefused((byte) 0x02, (byte) 0).hasMessageContaining("expected the tag of a field, got 2");
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
    void graph_valueReadBeforeItIsMade_isRefused() {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addNode(Models.node("Sqrt", List.of("later"), "y"))
                .addNode(Models.node("Exp", List.of("y"), "later"));
        assertRefusedGraph(graph, "node 'Sqrt_of_y' (Sqrt): expected to read values of earlier nodes, got 'later'");
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
                .hasMessageContaining("expected an offset of 0 or more for external data, got '-1'");
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
            assertThatThrownBy(() -> model.graph(Map.of(), Optional.of((small, wanted) -> Map.of())))
                    .isInstanceOf(WeightFileException.class)
                    .hasMessageContaining("the file shrank or failed");
        }
    }
}
