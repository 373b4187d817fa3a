package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Compiler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code arena}, in a folder where nothing has to be built; the classes come from this build. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "is a script of sh")
class LauncherTest {
    private static final String SOURCE = """
            import io.devicearena.ArenaDevice;
            import io.devicearena.ArenaOptions;
            import io.devicearena.MemoryPlan;
            import io.devicearena.spi.ArenaBackend;
            import io.devicearena.spi.Availability;
            import io.devicearena.spi.DeviceArenaProvider;
            import io.devicearena.spi.SpiVersion;

            public class Far implements DeviceArenaProvider {
                public int spiVersion() { return SpiVersion.CURRENT; }
                public String name() { return "far"; }
                public Availability probe() { return new Availability.Missing("far away", "come closer"); }
                public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                    throw new IllegalArgumentException("device: expected mine, got " + device);
                }
            }
            """;

    /** The same provider with a device; it ends the process when the first arena is opened. */
    private static final String KILLER = SOURCE.replace("new Availability.Missing(\"far away\", \"come closer\")", """
                    new Availability.Ready(java.util.List.of(new ArenaDevice("far", 0, "trap", "ends the process",
                            io.devicearena.DeviceKind.HOST, 1, new io.devicearena.ArenaLimits(1 << 20, "made up", 4, 1 << 20),
                            java.util.Set.of())))""")
            .replace("throw new", "Runtime.getRuntime().halt(134); throw new");

    /** The probe of the provider wgpu takes longer than the rest. */
    private static final String NO_WGPU = "export DEVICEARENA_WGPU_LIBRARY=/nonexistent; ";

    @TempDir
    Path folder;

    private Path jar = Path.of("");

    @BeforeEach
    void script() throws IOException {
        Files.copy(Path.of("..", "arena"), folder.resolve("arena"), StandardCopyOption.COPY_ATTRIBUTES);
        Path target = Files.createDirectories(folder.resolve("arena-cli").resolve("target"));
        Files.createFile(target.resolve("arena.built"));
        jar = folder.resolve("far.jar");
    }

    private ChildProcess.Result arena(String line, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", line, folder.resolve("arena").toString()));
        command.addAll(List.of(arguments));
        ChildProcess.Result result = ChildProcess.run(
                folder,
                Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "CLASSES",
                        ChildProcess.runtimePath(),
                        // a short program ends sooner with the first compiler alone
                        "JAVA_TOOL_OPTIONS",
                        "-XX:TieredStopAtLevel=1"),
                command);
        return new ChildProcess.Result(
                result.exitCode(), result.out(), result.err().replaceAll("Picked up JAVA_TOOL_OPTIONS: .*\\R", ""));
    }

    private void writeJar(String provider) throws IOException {
        Path source = Files.writeString(folder.resolve("Far.java"), provider);
        assertThat(Compiler.compile(folder, source)).isEmpty();
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("Far.class"));
            zip.write(Files.readAllBytes(folder.resolve("Far.class")));
            zip.putNextEntry(new ZipEntry("META-INF/services/io.devicearena.spi.DeviceArenaProvider"));
            zip.write(new byte[] {'F', 'a', 'r', '\n'});
        }
    }

    @Test
    void backendOfAnAddedJarIsListed() throws IOException, InterruptedException {
        writeJar(SOURCE);
        // the other tests have one list
        ChildProcess.Result result =
                arena("\"$0\" --class-path=\"$CLASSES\" --class-path \"$1\" providers", jar.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("far: not available", "far away", "come closer", "cpu: available");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void clauseThatEndsTheProcessIsNamed() throws IOException, InterruptedException {
        writeJar(KILLER);
        Path report = folder.resolve("report");
        ChildProcess.Result result = arena(
                NO_WGPU + "\"$0\" --class-path \"$CLASSES:$1\" conformance --provider far --report \"$2\"",
                jar.toString(),
                report.toString());
        String clause = "clause 1.1 sizeIsPlanPlusScratch, provider 'far', device 0 'trap'";
        assertThat(result.err()).isEqualTo("arena: the process ended during " + clause + "\n");
        assertThat(result.exitCode()).isEqualTo(134);
        assertThat(Files.readString(report.resolve("index.html")))
                .contains("<h1>This run has not ended</h1>", "It tests " + clause.replace("'", "&#39;") + ".");
    }

    private void assertRefused(String list, String problem) throws IOException, InterruptedException {
        ChildProcess.Result result = arena("\"$0\" --class-path \"$1\" providers", list);
        assertThat(result.err()).isEqualTo("arena: --class-path: expected " + problem + "\n");
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void missingJarIsRefusedInOneLine() throws IOException, InterruptedException {
        assertRefused("none.jar", "a jar or a folder of classes, got 'none.jar', which does not exist");
        assertRefused("none/*", "a jar or a folder of classes, got 'none/*', which does not exist");
        assertRefused("", "jars separated by colons, got an empty name in ''");
        writeJar(SOURCE);
        assertRefused(jar + ":", "jars separated by colons, got an empty name in '" + jar + ":'");
        assertRefused(jar + ":none.jar", "a jar or a folder of classes, got 'none.jar', which does not exist");
        Path source = folder.resolve("Far.java");
        assertRefused(source.toString(), "a jar, got '" + source + "', which is another file");
        assertThat(arena("\"$0\" --class-path").err())
                .isEqualTo("arena: --class-path: expected jars separated by colons, got nothing\n");
    }

    @Test
    void truncatedJarIsRefusedInOneLine() throws IOException, InterruptedException {
        writeJar(SOURCE);
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(whole, whole.length / 2));
        ChildProcess.Result result = arena("\"$0\" --class-path \"$CLASSES:$1\" providers", jar.toString());
        assertThat(result.err())
                .isEqualTo("arena: --class-path: expected a jar, got '" + jar
                        + "', which is damaged: zip END header not found; copy or build it again\n");
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void homeIsNotNeeded() throws IOException, InterruptedException {
        ChildProcess.Result result = arena(
                "unset HOME; JAVA_TOOL_OPTIONS=\"$JAVA_TOOL_OPTIONS -Duser.home=?\"; \"$0\" --class-path \"$CLASSES\" run"
                        + " --provider cpu");
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains("resnet50, 444 nodes, 25,610,152 parameters", "each equal to what was written");
        assertThat(result.exitCode()).isZero();
        // no JDK is named: all folders are searched
        assertThat(arena("unset HOME JAVA_HOME; PATH=/usr/bin:/bin \"$0\" jdk").err())
                .doesNotContain("HOME: ");
    }

    @Test
    void asciiLocaleReadsNamesInUtf8() throws IOException, InterruptedException {
        ChildProcess.Result result = arena("export LC_ALL=C.UTF-8; [ \"$(locale charmap)\" = UTF-8 ] || exit 77;"
                + " export LC_ALL=C; cd \"${0%/*}\"; name=$(printf 'caf\\303\\251.csv');"
                + " printf 'id,lower,upper,size\\n1,0,2,64\\n' > \"$name\";"
                + " \"$0\" --class-path \"$CLASSES\" plan \"$name\"");
        assumeTrue(result.exitCode() != 77, "needs a locale C.UTF-8");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("caf\u00e9.csv, 1 value");
    }
}
