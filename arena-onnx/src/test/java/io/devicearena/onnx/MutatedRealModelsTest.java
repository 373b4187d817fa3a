package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.graph.ShapeInference;
import io.devicearena.onnx.internal.graph.ValueType;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real models with some bytes changed: each is planned, or is refused by our exceptions, and none hangs. */
class MutatedRealModelsTest {
    private static final long SEED = 25;
    /** Larger models have more data of tensors, not more structure. */
    private static final long LARGEST_BYTES = 4_000_000;
    /** Fields that many nodes have are near both ends of a file. */
    private static final int FIELDS = 65_536;

    /** Stands for ONNX Runtime: what that does with broken models is its own matter. */
    private static final ShapeInference SHAPES = model -> {
        Map<String, ValueType> shapes = new HashMap<>();
        model.getGraph()
                .getOutputList()
                .forEach(value -> shapes.put(value.getName(), new ValueType(TensorType.F32, List.of(16L))));
        return shapes;
    };

    @TempDir
    private Path folder;

    @Test
    void open_threeHundredMutations_arePlannedOrRefused() throws IOException {
        assertMutations(300);
    }

    @Test
    @Tag("exhaustive")
    void open_twentyThousandMutations_arePlannedOrRefused() throws IOException {
        assertMutations(20_000);
    }

    private void assertMutations(int mutations) throws IOException {
        List<Path> models = models();
        int refused = 0;
        for (int m = 0; m < models.size(); m++) {
            byte[] original = Files.readAllBytes(models.get(m));
            Path path = folder.resolve("mutated.onnx");
            Files.copy(models.get(m), path, StandardCopyOption.REPLACE_EXISTING);
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                for (int i = m; i < mutations; i += models.size()) {
                    List<Integer> places = mutate(file, original, new SplittableRandom(SEED + i));
                    String mutation = "mutation " + i + " of " + models.get(m);
                    refused += assertTimeout(Duration.ofMinutes(2), () -> refusals(path), mutation);
                    restore(file, original, places);
                }
            }
        }
        assertThat(refused).isBetween(mutations / 10, mutations - 1);
    }

    private static List<Path> models() throws IOException {
        try (Stream<Path> files = Files.walk(RealModelsTest.folder())) {
            List<Path> models = files.filter(file ->
                            file.toString().endsWith(".onnx") && file.toFile().length() < LARGEST_BYTES)
                    .sorted()
                    .toList();
            assertThat(models).isNotEmpty();
            return models;
        }
    }

    /** Changes one to four bytes, or cuts the file; returns where. */
    private static List<Integer> mutate(RandomAccessFile file, byte[] original, RandomGenerator random)
            throws IOException {
        if (random.nextInt(16) == 0) {
            file.setLength(place(original, random));
            return List.of();
        }
        List<Integer> places = random.ints(1 + random.nextInt(4), 0, Integer.MAX_VALUE)
                .mapToObj(any -> place(original, random))
                .toList();
        for (int place : places) {
            file.seek(place);
            file.write(
                    switch (random.nextInt(3)) {
                        case 0 -> random.nextInt(256);
                        case 1 -> original[place] ^ (1 << random.nextInt(8));
                        default -> original[place] + 1;
                    });
        }
        return places;
    }

    private static int place(byte[] original, RandomGenerator random) {
        int near = Math.min(FIELDS, original.length);
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(near);
            case 1 -> original.length - 1 - random.nextInt(near);
            default -> random.nextInt(original.length);
        };
    }

    private static void restore(RandomAccessFile file, byte[] original, List<Integer> places) throws IOException {
        for (int place : places) {
            file.seek(place);
            file.write(original[place]);
        }
        int length = (int) file.length();
        file.seek(length);
        file.write(original, length, original.length - length);
    }

    private static int refusals(Path path) {
        try (OnnxModel model = OnnxModel.open(path)) {
            MutatedOnnxTest.use(model, SHAPES);
            return 0;
        } catch (WeightFileException e) {
            assertThat(e.offset()).isBetween(0L, path.toFile().length());
            assertThat(e).hasMessageContaining(", byte " + e.offset() + ": ");
            return 1;
        } catch (OnnxException e) {
            assertThat(e).hasMessageStartingWith(path + ": ");
            return 1;
        } catch (InvalidGraphException e) {
            assertThat(e).hasMessageContaining("expected");
            return 1;
        }
    }
}
