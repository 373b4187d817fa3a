package io.devicearena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cuda.testing.TestDriver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed PTX is what NVRTC makes of the committed CUDA C. */
class PtxIsCurrentTest {
    private static final int MISSING = 3;

    @Test
    void theCommittedPtxIsThatOfTheSources(@TempDir Path made) throws IOException, InterruptedException {
        Process ptx;
        try {
            ptx = new ProcessBuilder("../tools/cuda/ptx", made.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw TestDriver.missing("shell that runs tools/cuda/ptx: " + e.getMessage());
        }
        String output = new String(ptx.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (ptx.waitFor() == MISSING) {
            throw TestDriver.missing("NVRTC, so the committed PTX is not compared:\n" + output);
        }
        assertThat(ptx.exitValue()).as(output).isZero();
        assertThat(texts(Path.of("src", "main", "resources", "io", "devicearena", "cuda")))
                .as("PTX of the kernels; tools/cuda/ptx writes it")
                .isNotEmpty()
                .isEqualTo(texts(made.resolve("main")));
        assertThat(texts(Path.of("src", "test", "resources", "io", "devicearena", "cuda")))
                .as("PTX of the test kernels; tools/cuda/ptx writes it")
                .isNotEmpty()
                .isEqualTo(texts(made.resolve("test")));
        assertThat(texts(Path.of(
                        "..", "arena-kernels", "src", "main", "resources", "io", "devicearena", "kernels", "cuda")))
                .as("PTX of arena-kernels; tools/cuda/ptx writes it")
                .isNotEmpty()
                .isEqualTo(texts(made.resolve("kernels")));
    }

    /** The PTX files of a folder by name. */
    private static Map<String, String> texts(Path folder) throws IOException {
        TreeMap<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.toString().endsWith(".ptx")) {
                    texts.put(file.getFileName().toString(), Files.readString(file));
                }
            }
        }
        return texts;
    }
}
