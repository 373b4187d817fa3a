package io.devicearena.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.weights.tensor.WeightFileException;
import io.devicearena.weights.tensor.WeightFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsTest {
    private static final String TWO = """
            {"__metadata__":{"format":"pt"},\
            "b":{"dtype":"F32","shape":[1,2],"data_offsets":[2,10]},\
            "a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}""";

    @TempDir
    private Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("model.safetensors"), bytes);
    }

    @Test
    void open_twoTensors_knowsThemInTheOrderOfTheirData() throws IOException {
        Path path = file(Bytes.safetensors(TWO, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        long data = 8L + TWO.length();
        try (WeightFile file = WeightFile.open(path)) {
            assertThat(file.format()).isEqualTo(WeightFormat.SAFETENSORS);
            assertThat(file.tensors().values())
                    .containsExactly(
                            new Tensor("a", TensorType.BF16, List.of(), path, data, 2),
                            new Tensor("b", TensorType.F32, List.of(1L, 2L), path, data + 2, 8));
            assertThat(file.metadata("format").orElseThrow().text()).isEqualTo("pt");
            Tensor b = file.tensor("b").orElseThrow();
            assertThat(file.bytes(b).toArray(JAVA_BYTE)).containsExactly(3, 4, 5, 6, 7, 8, 9, 10);
            assertThat(file.tensor("c")).isEmpty();
        }
    }

    @Test
    void close_twice_thenBytes_throws() throws IOException {
        WeightFile file = WeightFile.open(file(Bytes.safetensors(TWO, new byte[10])));
        Tensor a = file.tensor("a").orElseThrow();
        file.close();
        file.close();
        assertThatThrownBy(() -> file.bytes(a).get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void open_floatsOfFourAndSixBits_arePackedAcrossRows() throws IOException {
        String header = """
                {"x":{"dtype":"F4","shape":[2,3],"data_offsets":[0,3]},\
                "y":{"dtype":"F6_E2M3","shape":[2,2],"data_offsets":[3,6]}}""";
        try (WeightFile file = WeightFile.open(file(Bytes.safetensors(header, new byte[6])))) {
            assertThat(file.tensor("x").orElseThrow().bytes()).isEqualTo(3);
            assertThat(file.tensor("y").orElseThrow().elements()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{};0;expected a header of 2 to 2 bytes, got -1",
                "[];0;expected START_OBJECT, got START_ARRAY",
                "{\"a\":1};0;a: expected START_OBJECT, got VALUE_NUMBER_INT",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                        + "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}};4;each key once",
                "{\"a\":{\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]}};4;got 'F33'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}};4;within the 4 bytes of data",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}};4;a begin and an end",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}};4;expected 8 bytes for F32 [2], got 4",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}};4;numbers of 0 or more, got -1",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,4]}};4;at most",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,4]}};4;out of range",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}};5;1 bytes that belong to none",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
                        + "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}};3;where the one before ends",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}};2;where the one before ends",
                "{\"\\u001b[2J\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}};1;'\\u001b[2J'",
                "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}};1;whole blocks of 2 elements",
                "{\"a\":[[[[[[[[[[[[[[[[[[[[[;0;START_OBJECT, got START_ARRAY",
                "{\"a\":{\"x\":[[[[[[[[[[[[[[[[[[[[[[[;0;depth",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}{};1;nothing behind the object",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]};1;expected JSON",
            })
    void open_badHeader_isRefusedWithFileAndPlace(String header, int dataBytes, String problem) throws IOException {
        byte[] bytes = Bytes.safetensors(header, new byte[dataBytes]);
        if (header.equals("{}")) {
            Arrays.fill(bytes, 0, 8, (byte) -1);
        }
        Path path = file(bytes);
        assertThatThrownBy(() -> WeightFile.open(path))
                .isInstanceOf(WeightFileException.class)
                .hasMessageStartingWith(path + ", byte ")
                .hasMessageContaining(problem.replace("got -1", header.equals("{}") ? "got 184467" : "got -1"));
    }

    @Test
    void open_everyTruncation_isRefused() throws IOException {
        byte[] whole = Bytes.safetensors(TWO, new byte[10]);
        for (int length = 0; length < whole.length; length++) {
            Path path = file(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> WeightFile.open(path)).isInstanceOf(WeightFileException.class);
        }
    }

    @Test
    void open_index_findsEachTensorInItsShard() throws IOException {
        Files.write(folder.resolve("one.safetensors"), Bytes.safetensors(TWO, new byte[10]));
        Files.write(
                folder.resolve("two.safetensors"),
                Bytes.safetensors("{\"c\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", new byte[] {7}));
        Path index = Files.writeString(
                folder.resolve("model.safetensors.index.json"),
                "{\"metadata\":{\"total_size\":11},\"weight_map\":"
                        + "{\"a\":\"one.safetensors\",\"c\":\"two.safetensors\",\"b\":\"one.safetensors\"}}");
        try (WeightFile file = WeightFile.open(index)) {
            assertThat(file.tensors()).containsOnlyKeys("a", "c", "b");
            assertThat(file.bytes(file.tensor("c").orElseThrow()).get(JAVA_BYTE, 0))
                    .isEqualTo((byte) 7);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "missing.safetensors, no such file",
        "../model.safetensors, beside the index",
        "/etc/hostname, beside the index",
        "'', beside the index",
        "loop, expected a file that can be read",
        "., 'a folder'",
    })
    void open_indexWithABadShard_isRefused(String shard, String problem) throws IOException {
        Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
        Path index = Files.writeString(folder.resolve("m.json"), "{\"weight_map\":{\"a\":\"" + shard + "\"}}");
        assertThatThrownBy(() -> WeightFile.open(index))
                .isInstanceOf(WeightFileException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void open_tensorThatItsShardLacks_isRefused() throws IOException {
        Files.write(folder.resolve("one.safetensors"), Bytes.safetensors(TWO, new byte[10]));
        Path index = Files.writeString(folder.resolve("m.json"), "{\"weight_map\":{\"z\":\"one.safetensors\"}}");
        assertThatThrownBy(() -> WeightFile.open(index)).hasMessageContaining("expected it in one.safetensors");
    }
}
