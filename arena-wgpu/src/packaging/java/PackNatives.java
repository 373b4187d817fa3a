import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The build step that makes the natives jars: it downloads the wheels of wheels.tsv with pip, checks them, and packs
 * the library of each into a jar. If a wheel is not available, the jar contains the reason, and the build continues
 * unless DEVICEARENA_REQUIRE names wgpu.
 *
 * <p>Arguments: the folder of wheels.tsv, the folder of the wheels, the build's folder, the jars' name without {@code
 * -natives-PLATFORM.jar}, the version, the module path, whether Maven is offline, and the licence file.
 */
final class PackNatives {
    private final Path sources;
    private final Path target;
    private final String jarName;
    private final String version;
    private final String modulePath;
    private final Path licence;
    private final WheelStore wheels;

    /** The version and a digest of the sources, so that an up-to-date jar is not made again. */
    private final String inputs;

    private PackNatives(String... arguments) throws IOException {
        sources = Path.of(arguments[0]);
        target = Path.of(arguments[2]);
        jarName = arguments[3];
        version = arguments[4];
        modulePath = arguments[5];
        wheels = new WheelStore(Path.of(arguments[1]), arguments[6].equals("offline=true"));
        licence = Path.of(arguments[7]);
        inputs = inputs();
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        PackNatives build = new PackNatives(arguments);
        List<Wheel> stale = new ArrayList<>();
        for (Wheel wheel : Wheel.read(build.sources.resolve("wheels.tsv"))) {
            if (!build.isCurrent(wheel)) {
                stale.add(wheel);
            }
        }
        Map<Wheel, String> missing = build.wheels.fetch(stale);
        for (Wheel wheel : stale) {
            build.pack(wheel, Optional.ofNullable(missing.get(wheel)));
        }
        if (!missing.isEmpty() && !mayContinue(missing)) {
            System.exit(1);
        }
    }

    private Path jar(Wheel wheel) {
        return target.resolve(jarName + "-natives-" + wheel.platform() + ".jar");
    }

    /** The file that has the inputs of a jar. */
    private Path made(Wheel wheel) {
        return target.resolve("natives").resolve(wheel.platform() + ".made");
    }

    private boolean isCurrent(Wheel wheel) throws IOException {
        return Files.exists(jar(wheel))
                && Files.exists(made(wheel))
                && Files.readString(made(wheel)).equals(inputs);
    }

    private void pack(Wheel wheel, Optional<String> missing) throws IOException {
        Path work = emptied(target.resolve("natives").resolve("work"));
        NativesJar natives = new NativesJar(wheel.platform(), Files.createDirectories(work.resolve("jar")));
        Files.copy(licence, natives.metaInf().resolve("LICENSE"));
        Files.copy(sources.resolve("NOTICE"), natives.metaInf().resolve("NOTICE"));
        if (missing.isPresent()) {
            Files.writeString(natives.natives().resolve("missing.txt"), missing.get() + "\n");
        } else {
            fill(natives, wheel);
        }
        Files.deleteIfExists(made(wheel));
        natives.write(jar(wheel), version, modulePath, Files.createDirectories(work.resolve("sources")));
        if (missing.isEmpty()) {
            Files.writeString(made(wheel), inputs);
        }
        emptied(work);
    }

    private void fill(NativesJar natives, Wheel wheel) throws IOException {
        Path file = wheels.file(wheel);
        Path library = natives.natives().resolve(wheel.libraryName());
        Wheel.extract(file, wheel.library(), library);
        String got = Digests.sha256(library);
        if (!got.equals(wheel.librarySha256())) {
            throw new IOException(wheel.file() + ": " + wheel.library() + ": expected SHA-256 " + wheel.librarySha256()
                    + ", got " + got);
        }
        Files.writeString(natives.natives().resolve(wheel.libraryName() + ".sha256"), got + "\n");
        Wheel.extract(file, "*.dist-info/licenses/LICENSE", natives.metaInf().resolve("LICENSE-wheel"));
        // the headers are the same in every wheel; the test of the bindings compiles them
        Path headers = Files.createDirectories(target.resolve("natives").resolve("headers"));
        for (String header : List.of("webgpu.h", "wgpu.h")) {
            Wheel.extract(file, "wgpu/resources/" + header, headers.resolve(header));
        }
    }

    private String inputs() throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            Path[] all = files.filter(Files::isRegularFile).sorted().toArray(Path[]::new);
            return version + " " + Digests.sha256(all) + "\n";
        }
    }

    private static boolean mayContinue(Map<Wheel, String> missing) {
        boolean required = Arrays.asList(
                        String.valueOf(System.getenv("DEVICEARENA_REQUIRE")).split("\\s*,\\s*"))
                .contains("wgpu");
        String line = "=".repeat(100);
        StringBuilder text = new StringBuilder(line).append("\narena-wgpu: no wgpu-native library for:\n");
        missing.forEach((wheel, reason) -> text.append("  ")
                .append(wheel.platform())
                .append(": ")
                .append(reason)
                .append('\n'));
        text.append("To get them: connect to the network, install Python 3 with pip (on Debian: apt-get install"
                + " python3-pip), and build again without -o.\n");
        text.append(
                required
                        ? "DEVICEARENA_REQUIRE names wgpu, so the build fails.\n"
                        : "The build continues. Everything but the provider 'wgpu' works; 'wgpu' will report what is missing.\n");
        System.err.println(text.append(line));
        return !required;
    }

    private static Path emptied(Path folder) throws IOException {
        if (Files.exists(folder)) {
            List<Path> all;
            try (Stream<Path> walk = Files.walk(folder)) {
                all = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.delete(each);
            }
        }
        return Files.createDirectories(folder);
    }
}
