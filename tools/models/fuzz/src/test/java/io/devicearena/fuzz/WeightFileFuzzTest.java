package io.devicearena.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.MetadataArray;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes open as a file of weights, or are refused with a place within them. */
class WeightFileFuzzTest {
    @TempDir
    static Path folder;

    @FuzzTest(maxDuration = "60s")
    void open(byte[] bytes) throws IOException {
        Path path = Files.write(folder.resolve("fuzzed"), bytes);
        try (WeightFile file = WeightFile.open(path)) {
            for (Tensor tensor : file.tensors().values()) {
                if (tensor.bytes() > 0) {
                    file.bytes(tensor).get(ValueLayout.JAVA_BYTE, tensor.bytes() - 1);
                }
            }
            for (MetadataValue value : file.metadata().values()) {
                if (value.value() instanceof MetadataArray array) {
                    read(array);
                }
            }
        } catch (WeightFileException e) {
            if (e.offset() < 0 || e.offset() > bytes.length) {
                throw new AssertionError("expected an offset within " + bytes.length + " bytes", e);
            }
        }
    }

    private static void read(MetadataArray array) {
        try {
            array.texts().forEach(String::length);
        } catch (IllegalArgumentException e) {
            // no texts: the next kind
        }
        try {
            array.floats();
        } catch (IllegalArgumentException e) {
            // no numbers
        }
    }
}
