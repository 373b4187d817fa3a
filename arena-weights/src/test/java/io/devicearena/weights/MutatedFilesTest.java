package io.devicearena.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.weights.tensor.MetadataArray;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with some bytes changed: each opens, or is refused by our exception. {@code -Ddevicearena.mutations=20000}
 * tries more than a build does.
 */
class MutatedFilesTest {
    private static final int MUTATIONS = Integer.getInteger("devicearena.mutations", 1_000);
    private static final long SEED = 25;
    private static final int MOST_TEXTS = 100;
    private static final byte[] SAFETENSORS = Bytes.safetensors("""
            {"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},\
            "b":{"dtype":"BF16","shape":[1],"data_offsets":[16,18]},\
            "c":{"dtype":"I8","shape":[0],"data_offsets":[18,18]}}""", new byte[18]);

    @TempDir
    private Path folder;

    @Test
    @Timeout(600)
    void open_mutatedFile_opensOrIsRefused() throws IOException {
        Random random = new Random(SEED);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = mutated(i % 2 == 0 ? SAFETENSORS : GgufTest.model(3), random);
            Path path = Files.write(folder.resolve("mutated"), bytes);
            try (WeightFile file = WeightFile.open(path)) {
                touchAll(file);
            } catch (WeightFileException e) {
                assertThat(e.file()).as("mutation %d", i).isEqualTo(path);
                assertThat(e.offset()).as("mutation %d", i).isBetween(0L, (long) bytes.length);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(MUTATIONS / 4);
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) -random.nextInt(2));
                default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
            }
        }
        return bytes;
    }

    /** Reads all that the file says it has. */
    static void touchAll(WeightFile file) {
        for (Tensor tensor : file.tensors().values()) {
            MemorySegment bytes = file.bytes(tensor);
            assertThat(bytes.byteSize()).isEqualTo(tensor.bytes());
            if (bytes.byteSize() > 0) {
                bytes.get(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1);
            }
        }
        for (MetadataValue value : file.metadata().values()) {
            if (value.value() instanceof MetadataArray array) {
                touch(array);
            }
        }
    }

    private static void touch(MetadataArray array) {
        for (Runnable reading : List.<Runnable>of(
                array::integers,
                array::floats,
                () -> touchTexts(array.texts()),
                () -> array.arrays().forEach(MutatedFilesTest::touch))) {
            try {
                reading.run();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("expected");
            }
        }
    }

    /** Reads some texts: a vocabulary has hundreds of thousands. */
    private static void touchTexts(List<String> texts) {
        int step = 1 + texts.size() / MOST_TEXTS;
        for (int i = 0; i < texts.size(); i += step) {
            assertThat(texts.get(i)).isNotNull();
        }
    }
}
