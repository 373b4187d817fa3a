package io.devicearena.cli.input;

import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Checks what {@code --class-path} adds: Java ignores a jar that it cannot read, and says nothing.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class BackendPath {
    /** The launcher sets it to the jars and folders, separated by colons. */
    private static final String PROPERTY = "devicearena.backends";

    private static final String SERVICE = "META-INF/services/" + DeviceArenaProvider.class.getName();

    private BackendPath() {}

    /**
     * Checks the entries that the launcher added.
     *
     * @throws InputException if one cannot be read, or none registers a provider
     */
    public static void require() {
        String list = System.getProperty(PROPERTY, "");
        if (!list.isEmpty()) {
            require(list);
        }
    }

    static void require(String list) {
        boolean registers = false;
        for (String entry : list.split(":", -1)) {
            for (Path file : files(entry)) {
                registers |= Files.isDirectory(file) ? folderRegisters(file) : jarRegisters(file);
            }
        }
        if (!registers) {
            throw unusable("a backend, got none in '" + list + "'; one registers its provider in " + SERVICE);
        }
    }

    /** The jars of an entry such as {@code lib/*}; else the entry. */
    private static List<Path> files(String entry) {
        if (!entry.equals("*") && !entry.endsWith("/*")) {
            return List.of(Path.of(entry));
        }
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(Path.of(entry).resolveSibling(""), "*.{jar,JAR}")) {
            found.forEach(jars::add);
        } catch (IOException e) {
            throw unusable("jars, got '" + entry + "', which cannot be listed: " + IoErrorText.why(e));
        }
        if (jars.isEmpty()) {
            throw unusable("jars, got '" + entry + "', a folder without jars");
        }
        return jars;
    }

    private static boolean jarRegisters(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry service = zip.getEntry(SERVICE);
            if (service == null) {
                return false;
            }
            try (InputStream content = zip.getInputStream(service)) {
                return namesAProvider(new String(content.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw unusable(
                    "a jar, got '" + jar + "', which is damaged: " + IoErrorText.why(e) + "; copy or build it again");
        }
    }

    private static boolean folderRegisters(Path folder) {
        Path service = folder.resolve(SERVICE);
        try (Stream<Path> files = Files.walk(folder)) {
            if (Files.isRegularFile(service)) {
                return namesAProvider(Files.readString(service));
            }
            if (files.noneMatch(file -> file.toString().endsWith(".class"))) {
                throw unusable("a jar or a folder of classes, got '" + folder + "', a folder without classes");
            }
            return false;
        } catch (IOException e) {
            throw unusable("a folder of classes, got '" + folder + "', which cannot be read: " + IoErrorText.why(e));
        }
    }

    private static boolean namesAProvider(String service) {
        return service.lines().map(line -> line.replaceFirst("#.*", "")).anyMatch(line -> !line.isBlank());
    }

    private static InputException unusable(String expectedAndGot) {
        return new InputException("--class-path", "expected " + expectedAndGot);
    }
}
