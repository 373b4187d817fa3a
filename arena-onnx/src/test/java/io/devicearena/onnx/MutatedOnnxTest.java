package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.graph.ShapeInference;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models with some bytes changed: each is planned, or is refused by our exceptions. {@code
 * -Ddevicearena.mutations=20000} tries more than a build does.
 */
class MutatedOnnxTest {
    private static final int MUTATIONS = Integer.getInteger("devicearena.mutations", 600);
    private static final long SEED = 25;

    @TempDir
    private Path folder;

    @Test
    @Timeout(600)
    void open_mutatedModel_isPlannedOrRefused() throws IOException {
        Random random = new Random(SEED);
        byte[] model = Models.layer().toByteArray();
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = mutated(model, random);
            Path path = Files.write(folder.resolve("mutated.onnx"), bytes);
            try (OnnxModel opened = OnnxModel.open(path)) {
                use(opened, null);
            } catch (WeightFileException e) {
                assertThat(e.offset()).as("mutation %d", i).isBetween(0L, (long) bytes.length);
                refused++;
            } catch (OnnxException e) {
                assertThat(e).as("mutation %d", i).hasMessageStartingWith(path + ": ");
                refused++;
            } catch (InvalidGraphException e) {
                assertThat(e).as("mutation %d", i).hasMessageContaining("expected");
                refused++;
            }
        }
        assertThat(refused).isBetween(MUTATIONS / 4, MUTATIONS - 1);
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(8)) {
                case 0, 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2, 3 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 4, 5 -> bytes[at]++;
                case 6 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) -random.nextInt(2));
                default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
            }
        }
        return bytes;
    }

    /**
     * Reads all that the file says it has. ONNX Runtime is left out: what it does with such files is its own matter.
     */
    static void use(OnnxModel model, @Nullable ShapeInference inference) {
        for (Tensor tensor : model.weights().tensors().values()) {
            MemorySegment bytes = model.weights().bytes(tensor);
            assertThat(bytes.byteSize()).isEqualTo(tensor.bytes());
            if (bytes.byteSize() > 0) {
                bytes.get(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1);
            }
        }
        Map<String, Long> sizes =
                model.freeDimensions().keySet().stream().collect(Collectors.toMap(name -> name, name -> 2L));
        MemoryPlanner.plan(model.graph(sizes, Optional.ofNullable(inference)), PlanOptions.declared(64));
    }
}
