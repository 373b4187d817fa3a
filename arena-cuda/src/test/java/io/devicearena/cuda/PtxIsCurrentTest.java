package io.devicearena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cuda.testing.TestDriver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed PTX is what NVRTC makes of the committed CUDA C. */
class PtxIsCurrentTest {
    private static final int MISSING = 3;
    private static final Path ROOT = Path.of("..");
    private static final Path TOOLS = ROOT.resolve("tools", "cuda");

    /** By the folder into which {@code tools/cuda/ptx FOLDER} writes it. */
    private static final Map<String, Path> PTX = Map.of(
            "main", Path.of("src", "main", "resources", "io", "devicearena", "cuda"),
            "test", Path.of("src", "test", "resources", "io", "devicearena", "cuda"),
            "kernels",
                    ROOT.resolve("arena-kernels", "src", "main", "resources", "io", "devicearena", "kernels", "cuda"));

    /** The checksums are written together with the PTX. */
    @Test
    void sourcesAndPtxHaveTheChecksumsOfTheLastRun() throws IOException {
        TreeMap<String, String> actual = new TreeMap<>();
        for (String folder : List.of("arena-cuda/src", "arena-kernels/src", "tools/cuda")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : (Iterable<Path>) files.filter(PtxIsCurrentTest::isListed)::iterator) {
                    actual.put(ROOT.relativize(file).toString().replace('\\', '/'), checksum(file));
                }
            }
        }

        assertThat(actual)
                .as("files of kernels; run tools/cuda/ptx, and commit what it writes")
                .isEqualTo(Files.readAllLines(TOOLS.resolve("ptx.sha256")).stream()
                        .map(line -> line.split(" +", 2))
                        .collect(Collectors.toMap(words -> words[1], words -> words[0])));
    }

    private static boolean isListed(Path file) {
        return file.toString().matches(".*\\.(cu|cuh|ptx)") || file.endsWith("nvrtc.py") || file.endsWith("cuda/ptx");
    }

    @Test
    @Tag("exhaustive")
    void theCommittedPtxIsThatOfTheSources(@TempDir Path made) throws IOException, InterruptedException {
        Process ptx;
        try {
            ptx = new ProcessBuilder(TOOLS.resolve("ptx").toString(), made.toString())
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
        for (Map.Entry<String, Path> folder : PTX.entrySet()) {
            assertThat(texts(folder.getValue()))
                    .as("PTX of %s; tools/cuda/ptx writes it", folder.getKey())
                    .isNotEmpty()
                    .isEqualTo(texts(made.resolve(folder.getKey())));
        }
    }

    private static String checksum(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
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
