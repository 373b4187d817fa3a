package io.devicearena.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataArray;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufTest {
    private static final int STRING = 8;
    private static final int ARRAY = 9;

    @TempDir
    private Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("model.gguf"), bytes);
    }

    private static Bytes header(int version, long tensors, long entries) {
        return new Bytes().ascii("GGUF").u32(version).u64(tensors).u64(entries);
    }

    /** Metadata of every kind, an F32 tensor of [3, 2] and a Q8_0 tensor of [1, 32]. */
    static byte[] model(int version) {
        Bytes bytes = header(version, 2, 8);
        bytes.text("general.name").u32(STRING).text("größe");
        bytes.text("count").u32(4).u32(0xffff_ffffL);
        bytes.text("big").u32(10).u64(-1);
        bytes.text("eps").u32(6).f32(0.5f);
        bytes.text("flag").u32(7).raw((byte) 1);
        bytes.text("tokens").u32(ARRAY).u32(STRING).u64(3).text("a").text("").text("né");
        bytes.text("scores").u32(ARRAY).u32(6).u64(2).f32(1).f32(-2);
        bytes.text("nested").u32(ARRAY).u32(ARRAY).u64(2);
        bytes.u32(0).u64(2).raw((byte) 1, (byte) 255).u32(5).u64(1).u32(-7);
        bytes.text("x").u32(2).u64(2).u64(3).u32(0).u64(0);
        bytes.text("q").u32(2).u64(32).u64(1).u32(8).u64(32);
        bytes.paddedTo(32);
        for (int i = 0; i < 32 + 34; i++) {
            bytes.raw((byte) i);
        }
        return bytes.array();
    }

    @Test
    void open_versionsTwoAndThree_haveTheSameTensors() throws IOException {
        for (int version : new int[] {2, 3}) {
            Path path = file(model(version));
            try (WeightFile file = WeightFile.open(path)) {
                assertThat(file.format()).isEqualTo(FileFormat.GGUF);
                Tensor x = file.tensor("x").orElseThrow();
                Tensor q = file.tensor("q").orElseThrow();
                assertThat(x.shape()).containsExactly(3L, 2L);
                assertThat(x.bytes()).isEqualTo(24);
                assertThat(q.type()).isEqualTo(TensorType.Q8_0);
                assertThat(q.bytes()).isEqualTo(34);
                assertThat(q.offset() % 32).isZero();
                assertThat(file.bytes(q).get(JAVA_BYTE, 0)).isEqualTo((byte) 32);
            }
        }
    }

    @Test
    void metadata_everyKind_hasItsTypeAndIsReadWhenAskedFor() throws IOException {
        try (WeightFile file = WeightFile.open(file(model(3)))) {
            assertThat(file.metadata("general.name").orElseThrow().text()).isEqualTo("größe");
            assertThat(file.metadata("count").orElseThrow().integer()).isEqualTo(0xffff_ffffL);
            assertThat(file.metadata("big").orElseThrow().value())
                    .isEqualTo(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
            assertThat(file.metadata("eps").orElseThrow().number()).isEqualTo(0.5);
            assertThat(file.metadata("flag").orElseThrow().flag()).isTrue();
            assertThat(file.metadata("tokens").orElseThrow().array().texts()).containsExactly("a", "", "né");
            assertThat(file.metadata("scores").orElseThrow().array().floats()).containsExactly(1, -2);
            List<MetadataArray> nested =
                    file.metadata("nested").orElseThrow().array().arrays();
            assertThat(nested.get(0).integers()).containsExactly(1, 255);
            assertThat(nested.get(1).integers()).containsExactly(-7);
            assertThat(file.metadata("none")).isEmpty();
        }
    }

    @Test
    void metadata_otherKind_isRefusedWithTheKey() throws IOException {
        try (WeightFile file = WeightFile.open(file(model(3)))) {
            assertThatThrownBy(() -> file.metadata("eps").orElseThrow().text())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("eps: expected text, got 0.5");
            assertThatThrownBy(() -> file.metadata("big").orElseThrow().integer())
                    .hasMessageContaining("18446744073709551615");
            assertThatThrownBy(
                            () -> file.metadata("scores").orElseThrow().array().texts())
                    .hasMessageContaining("expected texts, got an array of FLOAT32");
        }
    }

    @Test
    void open_everyTruncation_isRefused() throws IOException {
        byte[] whole = model(3);
        for (int length = 0; length < whole.length; length++) {
            Path path = file(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> WeightFile.open(path).close()).isInstanceOf(WeightFileException.class);
        }
    }

    private void refused(String problem, byte[] bytes) throws IOException {
        Path path = file(bytes);
        assertThatThrownBy(() -> WeightFile.open(path).close())
                .isInstanceOf(WeightFileException.class)
                .hasMessageStartingWith(path + ", byte ")
                .hasMessageContaining(problem);
    }

    private void tensorRefused(String problem, UnaryOperator<Bytes> tensor) throws IOException {
        refused(
                problem,
                tensor.apply(header(3, 1, 0)).paddedTo(32).raw(new byte[64]).array());
    }

    @Test
    void open_badHeader_isRefusedWithThePlace() throws IOException {
        refused("expected GGUF version 2 or 3, got 1", header(1, 0, 0).array());
        refused(
                "big-endian",
                new Bytes().ascii("GGUF").u32(0x0300_0000L).u64(0).u64(0).array());
        refused(
                "number of tensors: expected at most 0, got 9223372036854775808",
                header(3, Long.MIN_VALUE, 0).array());
        refused(
                "number of metadata entries: expected at most 0",
                header(3, 0, 1L << 62).array());
        refused(
                "a type of 0 to 12, got 13",
                header(3, 0, 1).text("k").u32(13).u64(0).array());
        refused(
                "length of k",
                header(3, 0, 1).text("k").u32(STRING).u64(1L << 40).u64(0).array());
        refused(
                "length of k",
                header(3, 0, 1).text("k").u32(ARRAY).u32(0).u64(-1).array());
        refused(
                "expected each key once",
                header(3, 0, 2)
                        .text("k")
                        .u32(7)
                        .raw((byte) 1)
                        .text("k")
                        .u32(7)
                        .raw((byte) 1)
                        .u64(0)
                        .array());
        refused("'\\u001b[2J'", header(3, 0, 1).text("\u001b[2J").u32(7).u64(0).array());
        refused(
                "general.alignment: expected a power of two, got 24",
                header(3, 0, 1).text("general.alignment").u32(4).u32(24).array());
    }

    @Test
    void open_badTensor_isRefusedWithItsName() throws IOException {
        tensorRefused(
                "at most 8 dimensions, got 9", b -> b.text("x").u32(9).u64(1).u64(1));
        tensorRefused(
                "dimension of tensor 'x': expected at most",
                b -> b.text("x").u32(1).u64(-2).u32(0).u64(0));
        tensorRefused(
                "a type that GGML has, got 4",
                b -> b.text("x").u32(1).u64(1).u32(4).u64(0));
        tensorRefused(
                "whole blocks of 32 elements",
                b -> b.text("x").u32(1).u64(33).u32(8).u64(0));
        tensorRefused(
                "at most 9223372036854775807 bytes",
                b -> b.text("x").u32(2).u64(1L << 40).u64(1L << 40).u32(0).u64(0));
        tensorRefused(
                "the end of the file after 32",
                b -> b.text("x").u32(1).u64(16).u32(0).u64(32));
        tensorRefused(
                "a multiple of the alignment of 32, got 8",
                b -> b.text("x").u32(1).u64(1).u32(0).u64(8));
    }

    @Test
    void open_twoTensorsInTheSameBytes_isRefused() throws IOException {
        Bytes bytes = header(3, 2, 0);
        bytes.text("x")
                .u32(1)
                .u64(16)
                .u32(0)
                .u64(0)
                .text("y")
                .u32(1)
                .u64(1)
                .u32(0)
                .u64(32);
        refused(
                "tensor 'y': expected it behind the one before",
                bytes.paddedTo(32).raw(new byte[64]).array());
        Bytes twice = header(3, 2, 0);
        twice.text("x")
                .u32(1)
                .u64(1)
                .u32(0)
                .u64(0)
                .text("x")
                .u32(1)
                .u64(1)
                .u32(0)
                .u64(32);
        refused("expected each name once", twice.paddedTo(32).raw(new byte[64]).array());
    }

    @Test
    void open_arraysTenThousandDeep_isRefused() throws IOException {
        Bytes bytes = header(3, 0, 1).text("k").u32(ARRAY);
        for (int i = 0; i < 10_000; i++) {
            bytes.u32(ARRAY).u64(1);
        }
        refused("arrays at most 8 deep", bytes.array());
    }

    @Test
    void open_oneOfAFileThatIsSplit_hasAllTensors() throws IOException {
        for (int i = 0; i < 2; i++) {
            Bytes bytes = header(3, 1, 3);
            bytes.text("split.no").u32(2).raw((byte) i, (byte) 0);
            bytes.text("split.count").u32(2).raw((byte) 2, (byte) 0);
            bytes.text("split.tensors.count").u32(5).u32(2);
            bytes.text("t" + i).u32(1).u64(8).u32(0).u64(0).paddedTo(32).raw(new byte[32]);
            Files.write(folder.resolve("m-0000" + (i + 1) + "-of-00002.gguf"), bytes.array());
        }
        for (String name : List.of("m-00001-of-00002.gguf", "m-00002-of-00002.gguf")) {
            try (WeightFile file = WeightFile.open(folder.resolve(name))) {
                assertThat(file.tensors()).containsOnlyKeys("t0", "t1");
                assertThat(file.bytes(file.tensor("t1").orElseThrow()).byteSize())
                        .isEqualTo(32);
            }
        }
        Files.delete(folder.resolve("m-00002-of-00002.gguf"));
        assertThatThrownBy(() -> WeightFile.open(folder.resolve("m-00001-of-00002.gguf")))
                .isInstanceOf(WeightFileException.class)
                .hasMessageContaining("m-00002-of-00002.gguf");
    }

    private static String latin(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    /** A text of one byte for each char. */
    private static Bytes rawText(Bytes to, String bytes) {
        byte[] raw = bytes.getBytes(StandardCharsets.ISO_8859_1);
        return to.u64(raw.length).raw(raw);
    }

    @Test
    void metadata_textsThatAreNoUtf8_areReadableAndHaveTheirBytes() throws IOException {
        Bytes bytes = header(3, 0, 3);
        rawText(bytes.text("general.name").u32(STRING), "M\u00f6del");
        bytes.text("tokens").u32(ARRAY).u32(STRING).u64(4).text("ok");
        rawText(rawText(rawText(bytes, "\u00e4\u00bd"), "\u00ff"), "a\0b");
        bytes.text("nested").u32(ARRAY).u32(ARRAY).u64(1).u32(STRING).u64(2);
        rawText(rawText(bytes, "\u00ff"), "x");
        try (WeightFile file = WeightFile.open(file(bytes.array()))) {
            MetadataValue name = file.metadata("general.name").orElseThrow();
            assertThat(name.text()).isEqualTo("M\uFFFDdel");
            assertThat(latin(name.textBytes())).isEqualTo("M\u00f6del");
            MetadataArray tokens = file.metadata("tokens").orElseThrow().array();
            assertThat(tokens.texts()).containsExactly("ok", "\uFFFD", "\uFFFD", "a\0b");
            assertThat(tokens.textBytes().stream().map(GgufTest::latin))
                    .containsExactly("ok", "\u00e4\u00bd", "\u00ff", "a\0b");
            MetadataArray nested = file.metadata("nested").orElseThrow().array();
            assertThat(nested.arrays().getFirst().texts()).containsExactly("\uFFFD", "x");
            assertThatThrownBy(nested::textBytes).hasMessage("nested: expected texts, got an array of ARRAY");
        }
    }

    @Test
    void open_namesThatAreNoUtf8_areRead() throws IOException {
        Bytes bytes = header(3, 1, 1);
        rawText(bytes, "k\u00ff").u32(4).u32(7);
        rawText(bytes, "w\u00ff").u32(1).u64(1).u32(0).u64(0).paddedTo(32).f32(1);
        try (WeightFile file = WeightFile.open(file(bytes.array()))) {
            assertThat(file.tensors()).containsOnlyKeys("w\uFFFD");
            assertThat(file.metadata("k\uFFFD").orElseThrow().integer()).isEqualTo(7);
        }
    }

    @Test
    void open_emptyKey_isRefused() throws IOException {
        Path path = file(header(3, 0, 1).text("").u32(4).u32(7).u64(0).u64(0).array());
        assertThatThrownBy(() -> WeightFile.open(path))
                .isInstanceOf(WeightFileException.class)
                .hasMessage(path + ", byte 24: metadata key: expected 1 or more characters, got none");
    }
}
