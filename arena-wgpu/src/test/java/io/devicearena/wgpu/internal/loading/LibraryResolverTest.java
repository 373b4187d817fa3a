package io.devicearena.wgpu.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.natives.NativesBundle;
import io.devicearena.wgpu.testing.CCompiler;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Every failure to find a library, with the whole message, on the system whose messages are known. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "the messages are those of Linux on x86_64")
class LibraryResolverTest {
    private static final String START = "wgpu-native 29.0.1.1 did not load on linux-x86_64 (natives jars found: ";
    private static final String NAME_ANOTHER = "name a file with wgpu-native 29.0.1.1 for linux-x86_64, or leave the"
            + " property devicearena.wgpu.library unset to use the natives jar";
    private static final String ADD_THE_JAR =
            "put the natives-linux-x86_64 jar of arena-wgpu on the class path or module"
                    + " path, or set -Ddevicearena.wgpu.library=FILE to a file with wgpu-native 29.0.1.1";
    private static final String MOVE_THE_CACHE = "set -Ddevicearena.wgpu.cache=FOLDER (or DEVICEARENA_WGPU_CACHE) to a"
            + " folder that you may write to, on a file system that is not mounted noexec";

    @TempDir
    Path folder;

    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();

    @BeforeEach
    void settings() {
        properties.put("os.name", "Linux");
        properties.put("os.arch", "amd64");
        properties.put("user.home", folder.resolve("home").toString());
        properties.put("java.library.path", "/nowhere/a" + File.pathSeparator + "/nowhere/b");
    }

    private LoadResult resolve(NativesBundle... jars) {
        Settings settings = Settings.of(properties, variables);
        return new LibraryResolver(settings, new NativesOnPath(List.of(jars), List.of())).resolve();
    }

    private static LoadResult.Failed failed(String jars, String places, String remedy) {
        return new LoadResult.Failed(START + jars + "): " + places, remedy);
    }

    private void expectNamedFile(Path file, String why) {
        properties.put("devicearena.wgpu.library", file.toString());
        assertThat(resolve())
                .isEqualTo(failed("none", "property devicearena.wgpu.library: " + file + ": " + why, NAME_ANOTHER));
    }

    private Path library(String name, String source) throws IOException, InterruptedException {
        return CCompiler.library(folder, name, source);
    }

    @Test
    void resolve_noLibrary_reasonNamesEveryPlace() {
        assertThat(resolve())
                .isEqualTo(failed(
                        "none",
                        "natives jar: none for linux-x86_64; java.library.path: no libwgpu_native.so in /nowhere/a,"
                                + " /nowhere/b",
                        ADD_THE_JAR));
    }

    @Test
    void jarsOfOtherPlatformsAreNamed() {
        assertThat(resolve(new TestJar("windows-x86_64", folder), new TestJar("linux-aarch64", folder)))
                .isEqualTo(failed(
                        "linux-aarch64, windows-x86_64",
                        "natives jar: none for linux-x86_64; java.library.path: no libwgpu_native.so in /nowhere/a,"
                                + " /nowhere/b",
                        ADD_THE_JAR));
    }

    @Test
    void aJarThatCannotBeReadIsNamed() {
        Settings settings = Settings.of(properties, variables);
        NativesOnPath broken = new NativesOnPath(List.of(), List.of(new UnusableLibraryException("no class Foo")));
        assertThat(new LibraryResolver(settings, broken).resolve())
                .isEqualTo(failed(
                        "none",
                        "natives jar: no class Foo; natives jar: none for linux-x86_64; java.library.path: no"
                                + " libwgpu_native.so in /nowhere/a, /nowhere/b",
                        ADD_THE_JAR));
    }

    @Test
    void aJarBuiltWithoutItsLibrarySaysWhyAndTheNextPlaceIsTried() throws IOException {
        Files.writeString(folder.resolve("missing.txt"), "no pip was found when this was built");
        assertThat(resolve(new TestJar("linux-x86_64", folder)))
                .isEqualTo(failed(
                        "linux-x86_64",
                        "natives jar: the jar was built without its library: no pip was found when this was built;"
                                + " java.library.path: no libwgpu_native.so in /nowhere/a, /nowhere/b",
                        ADD_THE_JAR));
    }

    @Test
    void unpacked_cacheFolderIsAFile_remedyMovesIt() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        properties.put("devicearena.wgpu.cache", file.toString());
        TestJar jar = TestJar.of(folder, new byte[] {1});
        assertThat(resolve(jar))
                .isEqualTo(failed(
                        "linux-x86_64",
                        "natives jar: cannot unpack to the cache folder " + file
                                + "/4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a: Not a directory;"
                                + " java.library.path: no libwgpu_native.so in /nowhere/a, /nowhere/b",
                        MOVE_THE_CACHE));
    }

    @Test
    void unpacked_homeCannotBeWritten_usesAPrivateFolder() throws IOException, InterruptedException {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        properties.put("java.io.tmpdir", temporary.toString());
        byte[] library = Files.readAllBytes(library("unrelated", "int unrelated(void) { return 1; }"));
        TestJar jar = TestJar.of(folder, library);
        for (String home :
                List.of("?", Files.writeString(folder.resolve("file"), "").toString())) {
            properties.put("user.home", home);
            // the library is unpacked and loaded; it is another one, and the reason shows where it is
            assertThat(resolve(jar))
                    .asString()
                    .contains("natives jar: " + temporary + "/device-arena-", "has no function wgpuGetVersion");
        }
        try (Stream<Path> folders = Files.list(temporary)) {
            for (Path made : folders.toList()) {
                assertThat(made.getFileName().toString()).startsWith("device-arena-");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                        .isEqualTo("rwx------");
                try (Stream<Path> files = Files.walk(made)) {
                    assertThat(files).anyMatch(file -> file.endsWith("libwgpu_native.so"));
                }
            }
        }
    }

    /** Resolves with a loader that refuses files below a folder, as one that is mounted noexec. */
    private LoadResult resolveNoexec(Path refused) throws IOException {
        NativesOnPath jars = new NativesOnPath(List.of(TestJar.of(folder, new byte[] {1})), List.of());
        return new LibraryResolver(Settings.of(properties, variables), jars, (file, _) -> {
                    if (file.startsWith(refused)) {
                        throw LibraryFile.refused(
                                file,
                                new UnsatisfiedLinkError(
                                        file + ": failed to map segment from shared object: Operation not permitted"));
                    }
                })
                .resolve();
    }

    @Test
    void unpacked_homeIsNoexec_usesAPrivateFolder() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        properties.put("java.io.tmpdir", temporary.toString());
        assertThat(resolveNoexec(folder.resolve("home")))
                .isInstanceOfSatisfying(
                        LoadResult.Loaded.class,
                        loaded -> assertThat(loaded.file()).startsWith(temporary));
    }

    @Test
    void unpacked_everyFolderIsNoexec_reasonNamesBoth() throws IOException {
        properties.put("java.io.tmpdir", folder.toString());
        assertThat(resolveNoexec(folder)).isInstanceOfSatisfying(LoadResult.Failed.class, failed -> {
            String noexec =
                    "libwgpu_native.so: failed to map segment from shared object: Operation not permitted; is its"
                            + " file system mounted noexec?; ";
            assertThat(failed.reason())
                    .contains(
                            "natives jar: " + folder.resolve("home/.cache/device-arena/wgpu/"),
                            noexec + "natives jar: " + folder.resolve("device-arena-"),
                            noexec + "java.library.path: ");
            assertThat(failed.remedy()).isEqualTo(MOVE_THE_CACHE);
        });
    }

    @Test
    void unpacked_namedFolderIsNoexec_isNotReplaced() throws IOException {
        properties.put("devicearena.wgpu.cache", folder.resolve("named").toString());
        properties.put("java.io.tmpdir", folder.resolve("temporary").toString());
        assertThat(resolveNoexec(folder.resolve("named")))
                .isInstanceOfSatisfying(
                        LoadResult.Failed.class,
                        failed -> assertThat(failed.remedy()).isEqualTo(MOVE_THE_CACHE));
    }

    @Test
    void refusalsOfThePlace_areThoseThatAnotherFolderMayEnd() {
        Path file = folder.resolve("libwgpu_native.so");
        for (String text : List.of(
                "Native Library " + file + " already loaded in another classloader",
                file + ": cannot open shared object file: Permission denied",
                file + ": cannot apply additional memory protection: Operation not permitted")) {
            assertThat(LibraryFile.refused(file, new UnsatisfiedLinkError(text)).isOfCache())
                    .isTrue();
        }
        assertThat(LibraryFile.refused(file, new UnsatisfiedLinkError("version `GLIBC_2.99' not found"))
                        .isOfCache())
                .isFalse();
    }

    @Test
    void unpacked_noFolderCanBeWritten_reasonNamesBoth() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        properties.put("user.home", "?");
        properties.put("java.io.tmpdir", file.toString());
        assertThat(resolve(TestJar.of(folder, new byte[] {1})))
                .isInstanceOfSatisfying(LoadResult.Failed.class, failed -> {
                    assertThat(failed.reason())
                            .contains(
                                    "natives jar: the cache folder: expected a home folder to keep it in, got '?/.cache';"
                                            + " natives jar: cannot unpack to a temporary folder in " + file + ": ");
                    assertThat(failed.remedy()).isEqualTo(MOVE_THE_CACHE);
                });
    }

    @Test
    void resolve_namedFileMissing_triesNoOtherPlace() throws IOException {
        Files.writeString(folder.resolve("libwgpu_native.so"), "not asked");
        properties.put("java.library.path", folder.toString());
        expectNamedFile(folder.resolve("none.so"), "no such file");
    }

    @Test
    void resolve_variable_namesAFileAndPropertyWins() {
        variables.put("DEVICEARENA_WGPU_LIBRARY", "/nowhere/v.so");
        assertThat(resolve())
                .isEqualTo(failed(
                        "none",
                        "variable DEVICEARENA_WGPU_LIBRARY: /nowhere/v.so: no such file",
                        "name a file with wgpu-native 29.0.1.1 for linux-x86_64, or leave the variable"
                                + " DEVICEARENA_WGPU_LIBRARY unset to use the natives jar"));
        expectNamedFile(Path.of("/nowhere/p.so"), "no such file");
    }

    @Test
    void resolve_namedFileIsAFolder_reasonSaysSo() {
        expectNamedFile(folder, "expected a file, got a folder");
        expectNamedFile(Path.of("/dev/null"), "expected a file, got a device or pipe");
    }

    @Test
    void resolve_namedFileUnreadable_reasonSaysSo() throws IOException {
        Path file = Files.writeString(folder.resolve("secret.so"), "text");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(file), "this user may read everything");
        expectNamedFile(file, "permission denied");
    }

    @Test
    void anEmptyFileIsNoLibrary() throws IOException {
        expectNamedFile(Files.createFile(folder.resolve("empty.so")), "the file is empty");
    }

    @Test
    void resolve_textFile_isRefused() throws IOException {
        expectNamedFile(
                Files.writeString(folder.resolve("text.so"), "I am a library, honestly.\n"),
                "expected a library, got a file without an ELF header");
    }

    @Test
    void resolve_namedFileIsNoPath_reasonSaysSo() {
        properties.put("devicearena.wgpu.library", "a\0b");
        assertThat(resolve())
                .isEqualTo(failed(
                        "none",
                        "property devicearena.wgpu.library: expected a path, got 'a\0b': Nul character not allowed",
                        NAME_ANOTHER));
    }

    @Test
    void aLibraryThatWasCutShortIsRefusedBeforeItCanEndTheProcess() throws IOException, InterruptedException {
        Path whole = library("whole.so", "int wgpuGetVersion(void) { return 0x1d000101; }\nchar big[100000] = {1};\n");
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = folder.resolve("cut.so");
        Files.write(cut, Arrays.copyOf(bytes, 50_000));
        properties.put("devicearena.wgpu.library", cut.toString());
        assertThat(((LoadResult.Failed) resolve()).reason())
                .matches("\\Q" + START + "none): property devicearena.wgpu.library: " + cut
                        + ": the file is cut short: expected at least \\E1\\d{5} bytes, got 50000");
        Files.write(cut, Arrays.copyOf(bytes, 40));
        expectNamedFile(cut, "the file is cut short: expected at least 64 bytes, got 40");
        Files.write(cut, Arrays.copyOf(bytes, 100));
        properties.put("devicearena.wgpu.library", cut.toString());
        assertThat(((LoadResult.Failed) resolve()).reason())
                .matches("\\Q" + START + "none): property devicearena.wgpu.library: " + cut
                        + ": the file is cut short: expected at least \\E\\d{3} bytes, got 100");
    }

    @Test
    void aLibraryOfAnotherProcessorIsRefusedByTheSystem() throws IOException, InterruptedException {
        byte[] bytes = Files.readAllBytes(library("x86.so", "int wgpuGetVersion(void) { return 0x1d000101; }\n"));
        // e_machine: AArch64
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putShort(18, (short) 183);
        Path other = Files.write(folder.resolve("arm.so"), bytes);
        properties.put("devicearena.wgpu.library", other.toString());
        // the text is that of the system and the JVM
        assertThat(((LoadResult.Failed) resolve()).reason())
                .startsWith(START + "none): property devicearena.wgpu.library: " + other
                        + ": cannot open shared object file")
                .contains("AARCH64");
    }

    @Test
    void resolve_otherVersion_reasonNamesBoth() throws IOException, InterruptedException {
        expectNamedFile(
                library("v27.so", "int wgpuGetVersion(void) { return 0x1b000400; }\n"),
                "version: expected wgpu-native 29.0.1.1, got 27.0.4.0");
    }

    @Test
    void resolve_libraryWithoutVersion_isRefused() throws IOException, InterruptedException {
        expectNamedFile(
                library("other.so", "int other(void) { return 0; }\n"),
                "the library has no function wgpuGetVersion, so it is not wgpu-native");
    }

    @Test
    void aLibraryWithoutTheFunctionsOfTheBindingsIsRefused() throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("int wgpuGetVersion(void) { return 0x1d000101; }\n");
        LibraryFile.functions().stream()
                .filter(name -> !List.of("wgpuGetVersion", "wgpuDevicePoll", "wgpuQueueSubmit")
                        .contains(name))
                .forEach(name -> source.append("void ").append(name).append("(void) {}\n"));
        expectNamedFile(
                library("few.so", source.toString()),
                "the library reports the right version, but has no function wgpuDevicePoll, wgpuQueueSubmit");
    }

    @Test
    void everyFolderOfTheLibraryPathIsTried() throws IOException, InterruptedException {
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Files.writeString(first.resolve("libwgpu_native.so"), "text");
        Files.copy(
                library("v27.so", "int wgpuGetVersion(void) { return 0x1b000400; }\n"),
                second.resolve("libwgpu_native.so"));
        properties.put(
                "java.library.path",
                String.join(File.pathSeparator, first.toString(), "/nowhere/c", second.toString()));
        assertThat(resolve())
                .isEqualTo(failed(
                        "none",
                        "natives jar: none for linux-x86_64; java.library.path: " + first
                                + "/libwgpu_native.so: expected a library, got a file without an ELF header;"
                                + " java.library.path: " + second
                                + "/libwgpu_native.so: version: expected wgpu-native 29.0.1.1, got 27.0.4.0;"
                                + " java.library.path: no libwgpu_native.so in /nowhere/c",
                        ADD_THE_JAR));
    }
}
