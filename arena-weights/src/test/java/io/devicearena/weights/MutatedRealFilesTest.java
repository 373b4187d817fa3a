package io.devicearena.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real files with some bytes of their headers changed: each opens, or is refused by our exception, and none hangs. */
class MutatedRealFilesTest {
    private static final long SEED = 25;
    private static final int ALIGNMENT = 64;

    @TempDir
    private Path folder;

    @Test
    void open_thousandMutations_openOrAreRefused() throws IOException {
        assertMutations(1_000);
    }

    @Test
    @Tag("exhaustive")
    void open_twentyThousandMutations_openOrAreRefused() throws IOException {
        assertMutations(20_000);
    }

    private void assertMutations(int mutations) throws IOException {
        List<Path> models = RealModelsTest.models();
        int refused = 0;
        for (int m = 0; m < models.size(); m++) {
            Path model = models.get(m);
            try (MutatedCopy copy = new MutatedCopy(model, headerBytes(model), folder.resolve("mutated"))) {
                for (int i = m; i < mutations; i += models.size()) {
                    copy.mutate(new SplittableRandom(SEED + i));
                    String mutation = "mutation " + i + " of " + model;
                    refused += assertTimeout(Duration.ofMinutes(2), () -> refusals(copy.path()), mutation);
                    copy.restore();
                }
            }
        }
        assertThat(refused).isBetween(mutations / 10, mutations - 1);
    }

    /** What lies before the first tensor. */
    private static int headerBytes(Path model) {
        try (WeightFile file = WeightFile.open(model)) {
            long first = file.tensors().values().stream()
                    .mapToLong(Tensor::offset)
                    .min()
                    .orElseThrow();
            return Math.toIntExact(first + ALIGNMENT);
        }
    }

    private static int refusals(Path path) {
        try (WeightFile file = WeightFile.open(path)) {
            MutatedFilesTest.touchAll(file);
            return 0;
        } catch (WeightFileException e) {
            assertThat(e.file()).isEqualTo(path);
            assertThat(e.offset()).isBetween(0L, path.toFile().length());
            assertThat(e).hasMessageStartingWith(path + ", byte " + e.offset() + ": ");
            return 1;
        }
    }
}
