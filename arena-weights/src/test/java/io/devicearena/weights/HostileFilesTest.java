package io.devicearena.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files made to harm a reader: large by their own words, deep, or not what they were when they were opened. */
@Timeout(300)
class HostileFilesTest {
    private static final long FOUR_GIB = 1L << 32;

    @TempDir
    private Path folder;

    private Path file(byte... bytes) throws IOException {
        return Files.write(folder.resolve("hostile"), bytes);
    }

    /** A file of zeros with bytes in some places; it takes no space. */
    private static void write(FileChannel channel, long at, byte[] bytes) throws IOException {
        ByteBuffer part = ByteBuffer.wrap(bytes);
        while (part.hasRemaining()) {
            channel.write(part, at + part.position());
        }
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Path path) {
        return assertThatThrownBy(() -> WeightFile.open(path).close())
                .isInstanceOf(WeightFileException.class)
                .hasMessageStartingWith(path + ", byte ");
    }

    private Path sparse(byte[] begin, long size) throws IOException {
        Path path = folder.resolve("sparse");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel, 0, begin);
            write(channel, size - 1, new byte[1]);
        }
        return path;
    }

    @Test
    void open_safetensorsHeaderOfFourGib_isRefused() throws IOException {
        assertRefused(file(new Bytes().u64(FOUR_GIB).raw(new byte[100]).array()))
                .hasMessageContaining("expected a header of 2 to 100 bytes, got 4294967296");
        assertRefused(sparse(new Bytes().u64(FOUR_GIB).ascii("{}").array(), FOUR_GIB + 100))
                .hasMessageContaining("got 4294967296");
    }

    @Test
    void open_ggufTextOfFourGib_isRefused() throws IOException {
        Bytes bytes =
                new Bytes().ascii("GGUF").u32(3).u64(0).u64(1).text("k").u32(8).u64(FOUR_GIB);
        assertRefused(sparse(bytes.array(), FOUR_GIB + 100))
                .hasMessageContaining("length of k: expected at most 16777216, got 4294967296");
    }

    @Test
    void open_ggufEntriesThatFillFourGib_areRefusedBeforeTheHeapIsFull() throws IOException {
        Bytes bytes = new Bytes().ascii("GGUF").u32(3).u64(0).u64(300_000_000);
        assertRefused(sparse(bytes.array(), FOUR_GIB))
                .hasMessageContaining("number of metadata entries: expected at most 100000, got 300000000");
    }

    @Test
    void open_ggufTextsLargerThanTheHeap_areRefusedBeforeItIsFull() throws IOException {
        int textBytes = 16 << 20;
        int texts = (int) (Runtime.getRuntime().maxMemory() / textBytes) + 2;
        Path path = sparse(new Bytes().ascii("GGUF").u32(3).u64(0).u64(texts).array(), (texts + 1L) * textBytes);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            long at = 24;
            for (int i = 0; i < texts; i++) {
                byte[] entry = new Bytes().text("k" + i).u32(8).u64(textBytes).array();
                write(channel, at, entry);
                at += entry.length + textBytes;
            }
        }
        assertRefused(path).hasMessageContaining("a quarter of the heap, got more; try a larger -Xmx");
    }

    @Test
    void open_ggufCountsAndOffsetsNear2To63_areRefused() throws IOException {
        Bytes texts = new Bytes().ascii("GGUF").u32(3).u64(0).u64(1);
        assertRefused(file(texts.text("k").u32(9).u32(8).u64(Long.MIN_VALUE).array()))
                .hasMessageContaining("length of k: expected at most 0, got 9223372036854775808");
        Bytes tensor = new Bytes().ascii("GGUF").u32(3).u64(1).u64(0);
        tensor.text("x").u32(1).u64(1).u32(0).u64(Long.MAX_VALUE - 31);
        assertRefused(file(tensor.paddedTo(32).raw(new byte[32]).array()))
                .hasMessageContaining("offset of tensor 'x': expected at most");
    }

    @Test
    void open_ggufTensorOfAnyTypeWithoutElements_hasNoBytes() throws IOException {
        Bytes bytes = new Bytes().ascii("GGUF").u32(3).u64(1).u64(0);
        bytes.text("none").u32(2).u64(0).u64(Long.MAX_VALUE).u32(12).u64(0);
        try (WeightFile file = WeightFile.open(file(bytes.paddedTo(32).array()))) {
            assertThat(file.bytes(file.tensor("none").orElseThrow()).byteSize()).isZero();
        }
    }

    @Test
    void open_safetensorsOffsetsNear2To63_areRefused() throws IOException {
        String header = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],"
                + "\"data_offsets\":[9223372036854775806,9223372036854775807]}}";
        assertRefused(file(Bytes.safetensors(header, new byte[1])))
                .hasMessageContaining("data_offsets of a begin and an end within the 1 bytes of data");
    }

    @Test
    void open_jsonTenThousandDeep_isRefused() throws IOException {
        String header = "{\"a\":{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}}";
        assertRefused(file(Bytes.safetensors(header, new byte[0])))
                .hasMessageEndingWith("x: expected at most 16 objects and lists inside one another, got more");
    }

    @Test
    void open_jsonOfOtherBytes_isRefused() throws IOException {
        byte[] header =
                "{\"??\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}".getBytes(StandardCharsets.US_ASCII);
        header[2] = (byte) 0xC3;
        header[3] = (byte) 0x28;
        assertRefused(file(new Bytes().u64(header.length).raw(header).array()))
                .hasMessageContaining("byte 10: expected UTF-8, got the byte 0xc3");
    }

    @Test
    void open_linkToItself_isRefused() throws IOException {
        Path loop = Files.createSymbolicLink(folder.resolve("loop.gguf"), Path.of("loop.gguf"));
        assertThatThrownBy(() -> WeightFile.open(loop))
                .isInstanceOf(WeightFileException.class)
                .hasMessageStartingWith(loop + ": expected a file that can be read, got ");
    }

    @Test
    void bytes_fileThatShrankBeforeItIsMapped_isRefused() throws IOException {
        Path path = file(new byte[1 << 16]);
        try (MappedFile file = MappedFile.open(path);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(100);
            assertThatThrownBy(file::bytes)
                    .isInstanceOf(WeightFileException.class)
                    .hasMessage(path + ", byte 100: expected 65536 bytes, as when it was opened; it shrank");
            assertThat(channel.size()).isEqualTo(100);
        }
    }

    @Test
    void reading_fileThatShrankAfterItWasMapped_isRefused() throws IOException {
        Path path = file(new byte[1 << 16]);
        try (MappedFile file = MappedFile.open(path);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            byte first = file.reading(() -> file.bytes().get(JAVA_BYTE, 0));
            assertThat(first).isZero();
            channel.truncate(0);
            assertThatThrownBy(() -> file.reading(() -> file.bytes().get(JAVA_BYTE, 60_000)))
                    .isInstanceOf(WeightFileException.class)
                    .hasMessageContaining("the file shrank or failed");
        }
    }

    @Test
    void texts_fileThatShrankSinceItWasOpened_areRefused() throws IOException {
        Bytes bytes = new Bytes().ascii("GGUF").u32(3).u64(0).u64(1);
        bytes.text("tokens").u32(9).u32(8).u64(2).text("a").text("b");
        Path path = file(bytes.array());
        try (WeightFile file = WeightFile.open(path);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(30);
            assertThatThrownBy(
                            () -> file.metadata("tokens").orElseThrow().array().texts())
                    .isInstanceOf(WeightFileException.class)
                    .hasMessageContaining("it shrank");
        }
    }

    @Test
    void bytes_fileThatShrankAfterALoadOrARead_isRefused() throws IOException {
        byte[] header = "{\"a\":{\"dtype\":\"U8\",\"shape\":[9000],\"data_offsets\":[0,9000]}}"
                .getBytes(StandardCharsets.US_ASCII);
        Path path = file(
                new Bytes().u64(header.length).raw(header).raw(new byte[9000]).array());
        try (WeightFile file = WeightFile.open(path);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            Tensor a = file.tensor("a").orElseThrow();
            assertThat(file.bytes(a).get(JAVA_BYTE, 8999)).isZero();
            long whole = channel.size();
            channel.truncate(100);
            assertThatThrownBy(() -> file.bytes(a))
                    .isInstanceOf(WeightFileException.class)
                    .hasMessage(path + ", byte 100: expected " + whole + " bytes, as when it was opened; it shrank");
        }
    }

    @Test
    void reading_fileThatShrinksWithoutAFault_isRefused() throws IOException {
        Path path = file(new byte[100]);
        try (MappedFile file = MappedFile.open(path);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> file.reading(() -> {
                        try {
                            channel.truncate(50); // the rest of the page reads as zeros
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        return file.bytes().get(JAVA_BYTE, 90);
                    }))
                    .isInstanceOf(WeightFileException.class)
                    .hasMessage(path + ", byte 50: expected 100 bytes, as when it was opened; it shrank");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.gguf", "m.safetensors", "m.safetensors.index.json"})
    void open_whatLiesInPlaceOfAModel_isNamed(String name) throws IOException {
        Path path = folder.resolve(name);
        Files.writeString(
                path,
                "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0".repeat(64) + "\nsize 253113024\n");
        assertRefused(path)
                .hasMessage(path + ", byte 0: expected a file of 253113024 bytes, got a Git LFS pointer: fetch the file"
                        + " with git lfs pull");
        Files.writeString(path, "\n<!DOCTYPE HTML><html><title>Log in</title></html>");
        assertRefused(path)
                .hasMessage(path + ", byte 0: expected the file itself, got a web page: the download failed or needs a"
                        + " login");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PK\3\4archive/data.pkl    | a zip archive, as PyTorch writes its files; unpack it, or convert the model to"
                        + " safetensors",
                "\u0080\2cpickle........ | a Python pickle, as old PyTorch files are; convert the model to safetensors",
                "tjgg3.......... | a GGML file of the time before GGUF; convert it to GGUF",
                "no model, but a few words that go on | a text that begins with 'no model, but a few words that\u2026'",
            })
    void open_fileOfAnotherFormat_isNamed(String begin, String got) throws IOException {
        Path path = file(begin.getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(path).hasMessage(path + ", byte 0: expected a safetensors or GGUF file, got " + got);
    }

    @Test
    void open_compressedFile_isNamed() throws IOException {
        Path path = file("\u001f\u008bcompressed".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(path)
                .hasMessage(path + ", byte 0: expected a safetensors or GGUF file, got a compressed file; unpack it");
    }

    @Test
    void open_fileWithoutRoomForAHeader_isRefusedWithWhatItHas() throws IOException {
        Path path = file();
        assertRefused(path).hasMessage(path + ", byte 0: expected a safetensors or GGUF file, got an empty file");
        file(new byte[8]);
        assertRefused(path)
                .hasMessage(path + ", byte 0: expected a header of 2 or more bytes, got 0; is it a safetensors or GGUF"
                        + " file?");
    }
}
