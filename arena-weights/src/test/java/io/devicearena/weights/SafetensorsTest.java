package io.devicearena.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
            assertThat(file.format()).isEqualTo(FileFormat.SAFETENSORS);
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
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|0|8|the header: expected an object, got '['",
                "{\"a\":1}|0|13|a: expected an object, got '1'",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}|1|61|key 'a': expected each key once, got it twice",
                "{\"a\":{\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,4]}}|4|9|got 'F33'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}}|4|9|tensor 'a': expected data_offsets of a begin and an end within the 4 bytes of data, got [0, 8]",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}|4|9|got [4, 0]",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}|4|9|tensor 'a': expected 8 bytes for F32 [2], got 4",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}|4|37|shape: expected whole numbers from 0 to 9223372036854775807, got '-1'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[NaN],\"data_offsets\":[0,4]}}|4|37|expected JSON, got 'NaN'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1.0],\"data_offsets\":[0,4]}}|4|37|shape: expected whole numbers from 0 to 9223372036854775807, got '1.0'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[01],\"data_offsets\":[0,4]}}|4|37|expected JSON, got '01'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,4]}}|4|9|tensor 'a': expected a shape of at most 9223372036854775807 bytes, got [4611686018427387904, 4] of F32",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,4]}}|4|37|shape: expected whole numbers from 0 to 9223372036854775807, got '99999999999999999999'",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}|5||expected the file to end with the last tensor, got 1 bytes that belong to none",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}|3|114|tensor 'b': expected it to begin at byte 115, where the one before ends, got 114",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}|2|61|tensor 'a': expected it to begin at byte 61, where the one before ends, got 62",
                "{\"\\u001b[2J\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}|1|9|tensor '\\u001b[2J': expected a name without control characters",
                "{\"\\ud800\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}|1|9|expected a pair of escapes for a character, got a surrogate alone: '\\ud800'",
                "{\"\\udc00\\ud800\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}|1|9|expected a pair of escapes for a character, got a surrogate alone: '\\udc00'",
                "{\"\\x\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}|1|9|expected a text with escapes such as \\n or \\u000a, got 'x' in it",
                "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}|1|9|tensor 'a': expected rows of whole blocks of 2 elements, as F4 has them, got rows of 3",
                "{\"__metadata__\":{\"k\":1}}|0|29|k: expected a text, got '1'",
                "{\"__metadata__\":{\"k\":null}}|0|29|k: expected a text, got 'null'",
                "{\"__metadata__\":1}|0|24|__metadata__: expected an object, got '1'",
                "{\"a\":[[[[[[[[[[[[[[[[[[[[[|0|13|a: expected an object, got '['",
                "{\"a\":{\"x\":[[[[[[[[[[[[[[[[[[[[[[[|0|32|x: expected at most 16 objects and lists inside one another, got more",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}{}|1|61|expected nothing but spaces behind the object, got '{'",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}|1|60|expected JSON, got the end of the header",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},}|1|61|expected JSON, got '}'",
                "{'a':1}|0|9|expected JSON, got '''",
                "{\"a\" 1}|0|13|expected JSON, got '1'",
                "{\"a|0|9|expected a text that ends, got the end of the header",
                "nothing|0|8|the header: expected an object, got 'nothing'",
                "\uFEFF{}|0|8|the header: expected an object, got the byte 0xef",
                "{\"a\":{\"x\":NaN}}|0|18|expected JSON, got 'NaN'",
                "{\"a\":{\"x\":tru}}|0|18|expected JSON, got 'tru'",
            })
    void open_badHeader_isRefusedWithFileAndPlace(String header, int dataBytes, String place, String problem)
            throws IOException {
        Path path = file(Bytes.safetensors(header, new byte[dataBytes]));
        assertThatThrownBy(() -> WeightFile.open(path))
                .isInstanceOf(WeightFileException.class)
                .hasMessageStartingWith(path + ", byte " + (place == null ? "" : place + ": "))
                .hasMessageEndingWith(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"__metadata__\":null,\"a\":%s}",
                "{\"__metadata__\":{},\"a\":%s}        ",
                "{ \"a\" :\n%s\t}\r\n"
            })
    void open_headerWithoutMetadataOrWithSpaces_isRead(String header) throws IOException {
        String tensor = "{\"x\":[true,{\"y\":-1.5e3}],\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}";
        try (WeightFile file =
                WeightFile.open(file(Bytes.safetensors(header.replace("%s", tensor) + "  ", (byte) 7)))) {
            assertThat(file.metadata()).isEmpty();
            assertThat(file.bytes(file.tensor("a").orElseThrow()).toArray(JAVA_BYTE))
                    .containsExactly(7);
        }
    }

    @Test
    void open_headerPaddedWithOtherBytesThanSpaces_isRefused() throws IOException {
        Path path = file(Bytes.safetensors("{}  \0\0"));
        assertThatThrownBy(() -> WeightFile.open(path))
                .hasMessage(path + ", byte 12: expected nothing but spaces behind the object, got the byte 0x00");
    }

    @Test
    void open_namesOfOtherAlphabetsAndEscapes_areRead() throws IOException {
        String header = "{\"\u00e9\\ud83d\\ude00\\u00e9\uD83D\uDE00\":"
                + "{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},\"__metadata__\":{\"\\n\":\"\\\"\\u0000\"}}";
        try (WeightFile file = WeightFile.open(file(Bytes.safetensors(header)))) {
            assertThat(file.tensors()).containsOnlyKeys("\u00e9\uD83D\uDE00\u00e9\uD83D\uDE00");
            assertThat(file.metadata("\n").orElseThrow().text()).isEqualTo("\"\0");
        }
    }

    @Test
    void open_bytesThatAreNoUtf8_areRefusedWithTheirPlace() throws IOException {
        byte[] header =
                "{\"\u00ed\u00a0\u0080\":1}".getBytes(StandardCharsets.ISO_8859_1); // a surrogate in three bytes
        Path path = file(new Bytes().u64(header.length).raw(header).array());
        assertThatThrownBy(() -> WeightFile.open(path))
                .hasMessage(path + ", byte 10: expected UTF-8, got the byte 0xed");
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
