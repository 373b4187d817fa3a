package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.Capability;
import io.devicearena.wgpu.internal.device.DriverRemedy;
import io.devicearena.wgpu.testing.CCompiler;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.NativesJars;
import io.devicearena.wgpu.testing.Needs;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The availability of the provider in processes that lack something: the reason and the remedy, exit code 0, and
 * nothing on standard error.
 */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, disabledReason = "hides the drivers from the Vulkan loader of Linux")
class AvailabilityTest {
    private static final String HOST = "linux-" + System.getProperty("os.arch").replace("amd64", "x86_64");
    private static final String LIBRARY = System.mapLibraryName("wgpu_native");
    private static final String NO_DRIVER = DriverRemedy.ofMachine();
    private static final String ONE_OF_THESE = "set it to one of these, or do not set it";

    @TempDir
    Path folder;

    @BeforeAll
    static void needsTheLibrary() {
        var _ = NativesJars.ofHost(HOST, LIBRARY);
    }

    /** Runs the probe; returns the lines that it printed. */
    private List<String> said(Map<String, String> variables, List<Path> natives, String... flags)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(flags));
        if (Stream.of(flags).noneMatch(flag -> flag.startsWith("-Ddevicearena.wgpu.cache="))) {
            command.add("-Ddevicearena.wgpu.cache=" + System.getProperty("devicearena.wgpu.cache", folder.toString()));
        }
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.library.path=/nowhere",
                "-cp",
                Stream.of(NativesJars.ours(), natives, List.of(NativesJars.testClasses()))
                        .flatMap(List::stream)
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)),
                ProbeMain.class.getName()));
        ChildProcess.Result result = ChildProcess.java(folder, variables, command);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return result.out().lines().toList();
    }

    private List<String> said(Map<String, String> variables, String... flags) throws IOException, InterruptedException {
        return said(variables, NativesJars.files(), flags);
    }

    private static ArenaDevice device() {
        return TestArenas.device();
    }

    private static List<String> listed(Set<Capability> capabilities) {
        return List.of("0 " + device().name() + " " + new TreeSet<>(capabilities), "device 0 holds 0.0");
    }

    private static String jarsFound() throws IOException {
        return NativesJars.files().stream()
                .map(file -> file.getFileName().toString().replaceAll(".*-natives-|\\.jar", ""))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"primary", "gl"})
    void probe_noDriver_remedyNamesThePackage(String backends) throws IOException, InterruptedException {
        Map<String, String> hidden = Map.of(
                "VK_DRIVER_FILES", "/nonexistent",
                "VK_ICD_FILENAMES", "/nonexistent",
                "__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent",
                "DEVICEARENA_WGPU_BACKEND", backends);
        assertThat(said(hidden)).containsExactly("wgpu-native finds no device (backends: " + backends + ")", NO_DRIVER);
    }

    @Test
    void probe_noNativesJar_remedyNamesIt() throws IOException, InterruptedException {
        assertThat(said(Map.of(), List.of()))
                .containsExactly(
                        "wgpu-native 29.0.1.1 did not load on " + HOST
                                + " (natives jars found: none): natives jar: none for " + HOST
                                + "; java.library.path: no " + LIBRARY + " in /nowhere",
                        "put the natives-" + HOST + " jar of arena-wgpu on the class path or module path, or set"
                                + " -Ddevicearena.wgpu.library=FILE to a file with wgpu-native 29.0.1.1");
    }

    @Test
    void load_textFile_isRefused() throws IOException, InterruptedException {
        Path text = Files.writeString(folder.resolve(LIBRARY), "not a library\n");
        assertThat(said(Map.of("DEVICEARENA_WGPU_LIBRARY", text.toString())))
                .containsExactly(
                        "wgpu-native 29.0.1.1 did not load on " + HOST + " (natives jars found: " + jarsFound()
                                + "): variable DEVICEARENA_WGPU_LIBRARY: " + text
                                + ": expected a library, got a file without an ELF header",
                        "name a file with wgpu-native 29.0.1.1 for " + HOST
                                + ", or leave the variable DEVICEARENA_WGPU_LIBRARY unset to use the natives jar");
    }

    @Test
    void aMissingFileIsNamed() throws IOException, InterruptedException {
        assertThat(said(Map.of(), "-Ddevicearena.wgpu.library=/nonexistent/wgpu.so"))
                .containsExactly(
                        "wgpu-native 29.0.1.1 did not load on " + HOST + " (natives jars found: " + jarsFound()
                                + "): property devicearena.wgpu.library: /nonexistent/wgpu.so: no such file",
                        "name a file with wgpu-native 29.0.1.1 for " + HOST
                                + ", or leave the property devicearena.wgpu.library unset to use the natives jar");
    }

    @Test
    void resolve_otherVersion_reasonNamesBoth() throws IOException, InterruptedException {
        Path wrong = CCompiler.library(folder, "v27.so", "int wgpuGetVersion(void) { return 0x1b000400; }\n");
        assertThat(said(Map.of(), "-Ddevicearena.wgpu.library=" + wrong))
                .containsExactly(
                        "wgpu-native 29.0.1.1 did not load on " + HOST + " (natives jars found: " + jarsFound()
                                + "): property devicearena.wgpu.library: " + wrong
                                + ": version: expected wgpu-native 29.0.1.1, got 27.0.4.0",
                        "name a file with wgpu-native 29.0.1.1 for " + HOST
                                + ", or leave the property devicearena.wgpu.library unset to use the natives jar");
    }

    @Test
    void load_cacheFolderCannotBeCreated_reasonNamesFolder() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("occupied"), "");
        List<String> lines = said(Map.of(), "-Ddevicearena.wgpu.cache=" + file.resolve("cache"));
        assertThat(lines).hasSize(2);
        // the SHA-256 of the library is in between
        assertThat(lines.getFirst())
                .startsWith("wgpu-native 29.0.1.1 did not load on " + HOST + " (natives jars found: " + jarsFound()
                        + "): natives jar: cannot unpack to the cache folder " + file.resolve("cache") + "/")
                .contains(": " + file.resolve("cache") + ": ")
                .endsWith("; java.library.path: no " + LIBRARY + " in /nowhere");
        assertThat(lines.getLast())
                .isEqualTo(
                        "set -Ddevicearena.wgpu.cache=FOLDER (or DEVICEARENA_WGPU_CACHE) to a folder that you may write to"
                                + ", on a file system that is not mounted noexec");
    }

    /** Any wrong setting: each has its case where settings are read. */
    @Test
    void anUnknownBackendIsNamed() throws IOException, InterruptedException {
        assertThat(said(Map.of("DEVICEARENA_WGPU_BACKEND", "glide")))
                .containsExactly(
                        "DEVICEARENA_WGPU_BACKEND: expected vulkan, metal, dx12, gl or primary, got 'glide'",
                        ONE_OF_THESE);
    }

    @Test
    void probe_unknownAdapter_reasonListsAdapters() throws IOException, InterruptedException {
        List<String> lines = said(Map.of("DEVICEARENA_WGPU_ADAPTER", "99"));
        assertThat(lines).hasSize(2).endsWith(ONE_OF_THESE);
        assertThat(lines.getFirst())
                .startsWith("DEVICEARENA_WGPU_ADAPTER: expected an index from 0 to ")
                .contains("'" + device().name() + "'")
                .endsWith(", got '99'");
    }

    /** One process for all that must be heeded at a time: each takes seconds. */
    @Test
    void probe_thePropertyBeforeTheVariable_segmentsLargerThanTheDevices_aShadowThatIsNotOff()
            throws IOException, InterruptedException {
        Map<String, String> variables = Map.of(
                "DEVICEARENA_WGPU_ADAPTER", "no such device",
                "DEVICEARENA_WGPU_SEGMENT_BYTES", "9223372036854775552",
                "DEVICEARENA_NO_F16_SHADOW", "off");
        assertThat(said(variables, "-Ddevicearena.wgpu.adapter=0")).isEqualTo(listed(device().capabilities()));
    }

    @Test
    void anAdapterIsChosenByPartOfItsNameInAnyCase() throws IOException, InterruptedException {
        String name = device().name();
        String part = name.substring(0, Math.max(1, name.length() / 2)).toUpperCase(Locale.ROOT);
        assertThat(said(Map.of("DEVICEARENA_WGPU_ADAPTER", part)))
                .contains(listed(device().capabilities()).getFirst());
    }

    @Test
    void probe_anIndex_andShadowDisabled_capabilityIsAbsent() throws IOException, InterruptedException {
        if (!device().capabilities().contains(Capability.F16_SHADOW)) {
            throw Needs.missing("device with shader-f16");
        }
        Set<Capability> expected = EnumSet.copyOf(device().capabilities());
        expected.remove(Capability.F16_SHADOW);
        assertThat(said(Map.of("DEVICEARENA_NO_F16_SHADOW", "yes", "DEVICEARENA_WGPU_ADAPTER", "0")))
                .isEqualTo(listed(expected));
    }

    @Test
    void severalDevicesAreListedAndUsedSideBySide() throws IOException, InterruptedException {
        Path manifest = mesaManifest();
        // the same driver under two names: two devices, as with two equal cards
        Path copy = Files.copy(manifest, folder.resolve("second.json"));
        Map<String, String> twice =
                Map.of("VK_DRIVER_FILES", manifest + File.pathSeparator + copy, "DEVICEARENA_WGPU_BACKEND", "vulkan");
        List<String> lines = said(twice);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("0 llvmpipe");
        assertThat(lines.get(1)).startsWith("1 llvmpipe");
        assertThat(lines.subList(2, 4)).containsExactly("device 0 holds 0.0", "device 1 holds 1.0");
    }

    private static Path mesaManifest() throws IOException {
        Path drivers = Path.of("/usr/share/vulkan/icd.d");
        if (!Files.isDirectory(drivers)) {
            throw Needs.missing("Mesa's software Vulkan");
        }
        try (Stream<Path> files = Files.list(drivers)) {
            return files.filter(file -> Objects.toString(file.getFileName()).startsWith("lvp_icd"))
                    .findFirst()
                    .orElseThrow(() -> Needs.missing("Mesa's software Vulkan"));
        }
    }
}
