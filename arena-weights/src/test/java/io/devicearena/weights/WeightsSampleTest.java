package io.devicearena.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.weights.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of the module's page. */
class WeightsSampleTest {
    @TempDir
    Path folder;

    @Test
    void tensorsOfAFile_areListedAndDecoded() throws IOException {
        Path path = folder.resolve("model.safetensors");
        String header = "{\"w\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}";
        Files.write(path, Bytes.safetensors(header, new byte[] {(byte) 0x80, 0x3f, 0, 0x40}));
        List<String> lines = new ArrayList<>();
        // @start region="read"
        try (WeightFile file = WeightFile.open(path)) {
            for (Tensor tensor : file.tensors().values()) {
                float[] first = new float[(int) Math.min(tensor.elements(), 256)];
                tensor.type().decode(file.bytes(tensor), 0, first.length, first, 0);
                lines.add(tensor.name() + " " + tensor.type() + tensor.shape() + " begins with " + first[0]);
            }
        }
        // @end
        assertThat(lines).containsExactly("w BF16[2] begins with 1.0");
    }
}
