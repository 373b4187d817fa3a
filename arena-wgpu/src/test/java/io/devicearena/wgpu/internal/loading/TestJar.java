package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.natives.NativesBundle;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A natives jar as a folder. */
record TestJar(String platform, Path folder) implements NativesBundle {
    static final String LIBRARY = System.mapLibraryName("wgpu_native");

    /** Makes a jar with these bytes as library, and their digest. */
    static TestJar of(Path folder, byte[] library) throws IOException {
        Files.write(folder.resolve(LIBRARY), library);
        Files.writeString(folder.resolve(LIBRARY + ".sha256"), Sha256.of(folder.resolve(LIBRARY)) + "\n");
        return new TestJar(Platform.of(Settings.ofProcess()).toString(), folder);
    }

    @Override
    public Optional<URL> resource(String name) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(file.toUri().toURL());
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
