package io.devicearena.kernels.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DeviceArena;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.weights.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelCatalogTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");

    /** A review shows the kernels that a change changes; -Ddevicearena.updateGolden=true writes the texts anew. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "rms-norm,",
        "layer-norm,",
        "elementwise,",
        "reduce,",
        "strided-copy,",
        "arg-max,",
        "round-rows,",
        "decode-attention,",
        "prefill-attention,",
        "embedding, Q8_0",
        "product, Q4_K",
        "product, Q4_0",
        "rounded-product, Q5_0",
        "normed-product, Q6_K",
        "gated-product, F16",
        "linear, F32",
        "convolution,",
        "matrix-product,"
    })
    void print_aStep_isTheGoldenText(String step, @Nullable TensorType format) throws IOException {
        String text = String.join("\n", KernelCatalog.print(step, format, Optional.empty()));
        Path file = GOLDEN.resolve(step + (format == null ? "" : "-" + format) + ".wgsl");
        if (Boolean.getBoolean("devicearena.updateGolden")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }

    @Test
    void print_aFormatThatAStepLacks_isRefused() {
        assertThatThrownBy(() -> KernelCatalog.print("linear", TensorType.Q4_K, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("linear: expected one of [F32, F16], got Q4_K");
        assertThatThrownBy(() -> KernelCatalog.print("softmax", TensorType.F32, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("softmax: expected no format, got F32");
    }

    @Test
    void steps_eachPrintsItsKernels() {
        for (String step : KernelCatalog.steps()) {
            assertThat(KernelCatalog.print(step, null, Optional.empty()))
                    .as(step)
                    .isNotEmpty();
            assertThat(KernelCatalog.about(step)).as(step).isNotBlank();
        }
        assertThatThrownBy(() -> KernelCatalog.about("sofmax"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("step: expected one of " + KernelCatalog.steps() + ", got 'sofmax'");
    }

    @Tag("exhaustive")
    @Test
    void check_allForms_compile() {
        try (DeviceArena arena = StepTrial.openForKernels()) {
            assertThat(KernelCatalog.check(arena).faults()).isEmpty();
        }
    }
}
