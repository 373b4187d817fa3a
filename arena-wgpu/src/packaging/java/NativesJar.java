import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Writes the jar of one platform: its files under META-INF/natives/PLATFORM, a module that provides them, so that the
 * module path resolves the jar, and the same service entry for the class path.
 */
final class NativesJar {
    private static final String SERVICE = "io.devicearena.wgpu.natives.NativesBundle";

    private final String platform;
    private final Path folder;

    /** Starts a jar in an empty folder. */
    NativesJar(String platform, Path folder) throws IOException {
        this.platform = platform;
        this.folder = folder;
        Files.createDirectories(natives());
    }

    /** The folder of the library. */
    Path natives() {
        return folder.resolve("META-INF").resolve("natives").resolve(platform);
    }

    Path metaInf() {
        return folder.resolve("META-INF");
    }

    void write(Path jar, String version, String modulePath, Path sources) throws IOException {
        String name = "io.devicearena.wgpu.natives." + platform.replace('-', '_');
        Path module = Files.writeString(sources.resolve("module-info.java"), """
                module %1$s {
                    requires io.devicearena.wgpu;
                    provides %2$s with %1$s.Natives;
                }
                """.formatted(name, SERVICE));
        Path type = Files.writeString(sources.resolve("Natives.java"), """
                package %1$s;

                public final class Natives implements %2$s {
                    @Override
                    public String platform() {
                        return "%3$s";
                    }
                }
                """.formatted(name, SERVICE, platform));
        Path services = Files.createDirectories(folder.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve(SERVICE), name + ".Natives\n");
        run(
                "javac",
                List.of(
                        "--release=22",
                        // the module names end in digits
                        "-Xlint:-module",
                        "--module-path=" + modulePath,
                        "-d",
                        folder.toString(),
                        module.toString(),
                        type.toString()));
        run(
                "jar",
                List.of(
                        "--create",
                        "--file=" + jar,
                        "--module-version=" + version,
                        // the same bytes from the same sources, whenever they are built
                        "--date=2026-01-01T00:00:00Z",
                        "-C",
                        folder.toString(),
                        "."));
    }

    private static void run(String tool, List<String> arguments) throws IOException {
        int code = ToolProvider.findFirst(tool)
                .orElseThrow(() -> new IOException("expected a JDK with the tool " + tool + ", got none"))
                .run(System.out, System.err, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IOException(tool + " " + String.join(" ", arguments) + ": exit code " + code);
        }
    }
}
