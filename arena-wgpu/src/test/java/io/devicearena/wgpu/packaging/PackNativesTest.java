package io.devicearena.wgpu.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.NativesJars;
import io.devicearena.wgpu.testing.PackagingPrograms;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The build step that makes the natives jars, with its inputs missing; a script replaces Python. */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the script that stands in for Python is a shell script")
@Tag("slow")
class PackNativesTest {
    private static final String LINE = "=".repeat(100);
    private static final List<String> PLATFORMS = List.of(
            "linux-aarch64", "linux-x86_64", "macos-aarch64", "macos-x86_64", "windows-aarch64", "windows-x86_64");

    @TempDir
    static Path programs;

    @TempDir
    Path folder;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        PackagingPrograms.compile(programs);
    }

    private ChildProcess.Result pack(String required, boolean offline) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        String modules =
                NativesJars.ours().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return ChildProcess.java(
                folder,
                Map.of("PATH", bin.toString(), "DEVICEARENA_REQUIRE", required),
                List.of(
                        "-cp",
                        programs.toString(),
                        "PackNatives",
                        "src/packaging",
                        folder.resolve("wheels").toString(),
                        Files.createDirectories(folder.resolve("target")).toString(),
                        "arena-wgpu-1",
                        "1",
                        modules,
                        "offline=" + offline,
                        Path.of("..", "LICENSE").toString()));
    }

    private void python(String script) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path python = Files.writeString(bin.resolve("python3"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
    }

    private static String report(String reason, String end) {
        return LINE + "\narena-wgpu: no wgpu-native library for:\n"
                + PLATFORMS.stream()
                        .map(platform -> "  " + platform + ": " + reason + "\n")
                        .collect(Collectors.joining())
                + "To get them: connect to the network, install Python 3 with pip (on Debian: apt-get install python3-pip), and"
                + " build again without -o.\n" + end + "\n" + LINE + "\n";
    }

    private static String continues(String reason) {
        return report(
                reason,
                "The build continues. Everything but the provider 'wgpu' works; 'wgpu' will report what is missing.");
    }

    @Test
    void pack_noPip_continuesAndJarsNameTheReason() throws IOException, InterruptedException {
        String reason =
                "no pip was found when this was built (tried python3 -m pip, python -m pip, py -m pip, pip3, pip)";
        ChildProcess.Result result = pack("cpu", false);
        assertThat(result.err()).isEqualTo(continues(reason));
        assertThat(result.exitCode()).isZero();
        for (String platform : PLATFORMS) {
            Path jar = folder.resolve("target").resolve("arena-wgpu-1-natives-" + platform + ".jar");
            assertThat(text(jar, "META-INF/natives/" + platform + "/missing.txt"))
                    .isEqualTo(reason + "\n");
        }
    }

    @Test
    void pack_noPipAndWgpuRequired_fails() throws IOException, InterruptedException {
        ChildProcess.Result result = pack("cpu, wgpu", false);
        assertThat(result.err())
                .isEqualTo(report(
                        "no pip was found when this was built (tried python3 -m pip, python -m pip, py -m pip, pip3, pip)",
                        "DEVICEARENA_REQUIRE names wgpu, so the build fails."));
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void pack_pipFails_reasonHasItsMessage() throws IOException, InterruptedException {
        python("""
                [ "$3" = --version ] && exit 0
                echo "$@" >>"$0.asked"
                echo 'WARNING: retrying'
                echo 'ERROR: no such host'
                exit 1
                """);
        ChildProcess.Result result = pack("", false);
        assertThat(result.err())
                .isEqualTo(continues(
                        "pip could not fetch wgpu-0.32.0-py3-none-manylinux_2_28_x86_64.whl when this was built:"
                                + " ERROR: no such host"));
        assertThat(result.exitCode()).isZero();
        // once, not for each platform
        assertThat(Files.readAllLines(folder.resolve("bin").resolve("python3.asked")))
                .singleElement()
                .asString()
                .matches(
                        "-m pip download --quiet --no-input --disable-pip-version-check --retries=1 --timeout=20 --no-deps"
                                + " --only-binary=:all: --platform=manylinux_2_28_x86_64 --dest=\\S+ wgpu==0.32.0");
    }

    @Test
    void offlineNothingIsFetched() throws IOException, InterruptedException {
        python("exit 1\n");
        assertThat(pack("cpu", true).err())
                .isEqualTo(continues(
                        "Maven was offline (-o) when this was built, and the wheels were not fetched before"));
    }

    @Test
    void aWheelWithOtherBytesEndsTheBuild() throws IOException, InterruptedException {
        python("""
                [ "$3" = --version ] && exit 0
                for argument; do
                    case $argument in --dest=*) folder=${argument#--dest=} ;; esac
                done
                printf wrong >"$folder/wgpu-0.32.0-py3-none-manylinux_2_28_x86_64.whl"
                """);
        ChildProcess.Result result = pack("", false);
        assertThat(result.err())
                .contains("wgpu-0.32.0-py3-none-manylinux_2_28_x86_64.whl: expected SHA-256"
                        + " 6499a31b5a29a10b4f1089fea4a0806411f42605fa86b6c0b543a07ca0de8568, got"
                        + " 8810ad581e59f2bc3928b261707a71308f7e139eb04820366dc4d5c18d980225");
        assertThat(result.exitCode()).isEqualTo(1);
        try (Stream<Path> kept = Files.list(folder.resolve("wheels"))) {
            assertThat(kept).isEmpty();
        }
    }

    private static String text(Path jar, String name) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return new String(
                    zip.getInputStream(Objects.requireNonNull(zip.getEntry(name), name))
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        }
    }
}
