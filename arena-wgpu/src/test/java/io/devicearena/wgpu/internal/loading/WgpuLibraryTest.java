package io.devicearena.wgpu.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.natives.NativesBundle;
import io.devicearena.wgpu.testing.CCompiler;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.NativesJars;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The real library, in child processes: on the class path, on the module path, and with the jar on the other path. */
@Tag("slow")
class WgpuLibraryTest {
    private static final Platform HOST = Platform.of(Settings.ofProcess());

    @TempDir
    Path folder;

    private Path cache;
    private NativesBundle jar;
    private Path unpacked;

    @BeforeEach
    void needsTheLibrary() throws IOException {
        cache = folder.resolve("cache");
        jar = NativesJars.ofHost(HOST.toString(), TestJar.LIBRARY);
        try (InputStream digest =
                jar.resource(TestJar.LIBRARY + ".sha256").orElseThrow().openStream()) {
            unpacked = cache.resolve(new String(digest.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .resolve(TestJar.LIBRARY);
        }
    }

    private Path home() {
        return Objects.requireNonNull(unpacked.getParent());
    }

    private static String joined(List<Path> first, Path... more) {
        return Stream.concat(first.stream(), Stream.of(more))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private List<String> onClassPath(List<Path> natives, String... flags) {
        List<String> command = new ArrayList<>(List.of("-Ddevicearena.wgpu.cache=" + cache));
        command.addAll(List.of(flags));
        List<Path> path = new ArrayList<>(NativesJars.ours());
        path.addAll(natives);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                joined(path, NativesJars.testClasses()),
                LoadMain.class.getName()));
        return command;
    }

    private List<String> onModulePath(List<Path> modules, List<Path> classPath, String access) {
        return List.of(
                "-Ddevicearena.wgpu.cache=" + cache,
                access,
                "--patch-module=io.devicearena.wgpu=" + NativesJars.testClasses(),
                "--class-path=" + joined(classPath),
                "--module-path="
                        + joined(Stream.concat(NativesJars.ours().stream(), modules.stream())
                                .toList()),
                "--module=io.devicearena.wgpu/" + LoadMain.class.getName());
    }

    private String said(List<String> arguments) throws IOException, InterruptedException {
        ChildProcess.Result result = ChildProcess.java(folder, Map.of(), arguments);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return result.out();
    }

    private String loadedFrom(String place, Path file) {
        return "loaded 29.0.1.1 from " + place + System.lineSeparator() + file + System.lineSeparator()
                + "the bindings say 29.0.1.1" + System.lineSeparator();
    }

    @Test
    void load_calledTwice_returnsTheSameResult() {
        assertThat(WgpuLibrary.load()).isInstanceOf(LoadResult.Loaded.class).isSameAs(WgpuLibrary.load());
    }

    @Test
    void theJarIsFoundOnTheClassPath() throws IOException, InterruptedException {
        assertThat(said(onClassPath(NativesJars.files()))).isEqualTo(loadedFrom("natives jar", unpacked));
    }

    @Test
    void theJarIsFoundOnTheModulePath() throws IOException, InterruptedException {
        assertThat(said(onModulePath(NativesJars.files(), List.of(), "--enable-native-access=io.devicearena.wgpu")))
                .isEqualTo(loadedFrom("natives jar", unpacked));
    }

    @Test
    void load_jarOnClassPathOfAModule_isFound() throws IOException, InterruptedException {
        assertThat(said(onModulePath(List.of(), NativesJars.files(), "--enable-native-access=io.devicearena.wgpu")))
                .isEqualTo(loadedFrom("natives jar", unpacked));
    }

    @Test
    void load_withoutTheJar_reasonSaysSo() throws IOException, InterruptedException {
        assertThat(said(onClassPath(List.of(), "-Djava.library.path=/nowhere")))
                .isEqualTo("wgpu-native 29.0.1.1 did not load on " + HOST
                        + " (natives jars found: none): natives jar: none"
                        + " for " + HOST + "; java.library.path: no " + TestJar.LIBRARY + " in /nowhere"
                        + System.lineSeparator() + "put the natives-" + HOST
                        + " jar of arena-wgpu on the class path or module path, or set -Ddevicearena.wgpu.library=FILE to a"
                        + " file with wgpu-native 29.0.1.1" + System.lineSeparator());
    }

    @Test
    void resolve_brokenNativesJar_isReportedAndOthersAreUsed() throws IOException, InterruptedException {
        Path services = Files.createDirectories(folder.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve(NativesBundle.class.getName()), "org.example.Nothing\n");
        assertThat(said(onClassPath(List.of(folder), "-Djava.library.path=/nowhere")))
                .contains(
                        "natives jar: io.devicearena.wgpu.natives.NativesBundle: Provider org.example.Nothing not found;"
                                + " natives jar: none for " + HOST);
        List<Path> both =
                Stream.concat(Stream.of(folder), NativesJars.files().stream()).toList();
        assertThat(said(onClassPath(both))).isEqualTo(loadedFrom("natives jar", unpacked));
    }

    @Test
    void manyProcessesUnpackAtOnce() throws IOException, InterruptedException {
        List<ChildProcess> running = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            running.add(ChildProcess.startJava(folder, Map.of(), onClassPath(NativesJars.files())));
        }
        for (ChildProcess each : running) {
            ChildProcess.Result result = each.await();
            assertThat(result.err()).isEmpty();
            assertThat(result.out()).isEqualTo(loadedFrom("natives jar", unpacked));
        }
        try (Stream<Path> all = Files.list(home())) {
            assertThat(all).containsExactly(unpacked);
        }
    }

    @Test
    void load_wrongFileInCache_isReplacedFirst() throws IOException, InterruptedException {
        Files.createDirectories(home());
        Files.writeString(unpacked, "another file");
        assertThat(said(onClassPath(NativesJars.files()))).isEqualTo(loadedFrom("natives jar", unpacked));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "compiles with gcc's flags of Linux")
    void load_wrongVersionFirst_rightOneStillLoads() throws IOException, InterruptedException {
        Path first = Files.createDirectory(folder.resolve("first"));
        Path wrong = CCompiler.library(folder, "v27.so", "int wgpuGetVersion(void) { return 0x1b000400; }\n");
        Files.copy(wrong, first.resolve(TestJar.LIBRARY));
        Path second = Files.createDirectory(folder.resolve("second"));
        try (InputStream bytes = jar.resource(TestJar.LIBRARY).orElseThrow().openStream()) {
            Files.copy(bytes, second.resolve(TestJar.LIBRARY));
        }
        assertThat(said(onClassPath(List.of(), "-Djava.library.path=" + first + File.pathSeparator + second)))
                .isEqualTo(loadedFrom("java.library.path", second.resolve(TestJar.LIBRARY)));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "this JVM has no option to deny native access")
    void probe_nativeAccessDenied_remedyEnablesIt() throws IOException, InterruptedException {
        assertThat(said(onModulePath(NativesJars.files(), List.of(), "--illegal-native-access=deny")))
                .contains("Illegal native access from module io.devicearena.wgpu")
                .endsWith(
                        "start Java with --enable-native-access=io.devicearena.wgpu (module path) or ALL-UNNAMED (class"
                                + " path)" + System.lineSeparator());
    }
}
