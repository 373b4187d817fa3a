package io.devicearena.wgpu.testing;

import io.devicearena.spi.SpiVersion;
import io.devicearena.wgpu.natives.NativesBundle;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The natives jars of this build. */
public final class NativesJars {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    private NativesJars() {}

    /** The jar of the platform that the tests run on, with its library in it. */
    public static NativesBundle ofHost(String platform, String libraryName) {
        NativesBundle jar = ServiceLoader.load(NativesBundle.class, NativesBundle.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.platform().equals(platform))
                .findFirst()
                .orElseThrow(() -> Needs.missing("natives jar for " + platform));
        if (jar.resource(libraryName).isEmpty()) {
            throw Needs.missing("wgpu-native library: it could not be fetched when this was built");
        }
        return jar;
    }

    /** The files of all natives jars: those of this build, or those on the path where the tests run away from it. */
    public static List<Path> files() throws IOException {
        if (!Files.isDirectory(TARGET)) {
            return ServiceLoader.load(NativesBundle.class, NativesBundle.class.getClassLoader()).stream()
                    .map(provider -> placeOf(provider.type()))
                    .toList();
        }
        try (Stream<Path> files = Files.list(TARGET)) {
            return files.filter(file -> file.getFileName().toString().contains("-natives-"))
                    .sorted()
                    .toList();
        }
    }

    /** What the bindings need beside themselves: the folders or jars of the provider and of the API. */
    public static List<Path> ours() {
        return List.of(placeOf(NativesBundle.class), placeOf(SpiVersion.class));
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The classes of the tests: their folder in this build, else where they were loaded from. */
    public static Path testClasses() {
        Path built = TARGET.resolve("test-classes");
        return Files.isDirectory(built) ? built : placeOf(NativesJars.class);
    }
}
