package io.devicearena.cli.input;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.cli.message.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendPathTest {
    private static final String SERVICE = "META-INF/services/io.devicearena.spi.DeviceArenaProvider";
    private static final String DAMAGED = "', which is damaged: zip END header not found; copy or build it again";

    @TempDir
    Path folder;

    private Path backend = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void makeJars() throws IOException {
        backend = jar("backend.jar", SERVICE, "com.example.Far # the provider\n");
        other = jar("other.jar", "Other.class", "");
    }

    private Path jar(String name, String entry, String content) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream target = Files.newOutputStream(file);
                JarOutputStream zip = new JarOutputStream(target)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private static void assertRefused(String list, String problem) {
        assertThatThrownBy(() -> BackendPath.require(list))
                .isInstanceOf(InputException.class)
                .hasMessage("--class-path: expected " + problem);
    }

    @Test
    void jarsOfWhichOneHasABackend_areAccepted() throws IOException {
        Path classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(classes.resolve(SERVICE), "com.example.Far");
        assertThatCode(() -> BackendPath.require(other + ":" + backend)).doesNotThrowAnyException();
        assertThatCode(() -> BackendPath.require(folder + "/*")).doesNotThrowAnyException();
        assertThatCode(() -> BackendPath.require(classes.toString())).doesNotThrowAnyException();
    }

    @Test
    void fileThatIsNoWholeJar_isRefused() throws IOException {
        byte[] whole = Files.readAllBytes(backend);
        Path damaged = folder.resolve("damaged.jar");
        for (byte[] content : new byte[][] {
            Arrays.copyOf(whole, whole.length / 2),
            Arrays.copyOf(whole, whole.length - 1),
            "PK, a text that is no jar".getBytes(StandardCharsets.UTF_8)
        }) {
            Files.write(damaged, content);
            assertRefused(damaged + ":" + backend, "a jar, got '" + damaged + DAMAGED);
            assertRefused(backend + ":" + damaged, "a jar, got '" + damaged + DAMAGED);
            assertRefused(folder + "/*", "a jar, got '" + damaged + DAMAGED);
        }
        Files.write(damaged, new byte[0]);
        assertRefused(
                damaged.toString(),
                "a jar, got '" + damaged + "', which is damaged: zip file is empty; copy or build it again");
    }

    @Test
    void pathWithoutABackend_isRefused() throws IOException {
        String registers = "'; one registers its provider in " + SERVICE;
        assertRefused(other.toString(), "a backend, got none in '" + other + registers);
        Path nothing = jar("nothing.jar", SERVICE, "# none yet\n");
        assertRefused(nothing + ":" + other, "a backend, got none in '" + nothing + ":" + other + registers);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertRefused(
                empty + ":" + backend, "a jar or a folder of classes, got '" + empty + "', a folder without classes");
        assertRefused(empty + "/*", "jars, got '" + empty + "/*', a folder without jars");
        Files.createFile(empty.resolve("Far.class"));
        assertRefused(empty.toString(), "a backend, got none in '" + empty + registers);
    }
}
