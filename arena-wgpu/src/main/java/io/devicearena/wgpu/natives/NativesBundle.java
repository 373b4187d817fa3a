package io.devicearena.wgpu.natives;

import java.net.URL;
import java.util.Objects;
import java.util.Optional;

/**
 * A jar with the wgpu-native library of one platform. Each natives jar registers one implementation, in its module
 * declaration and in {@code META-INF/services}; the loader of the library calls it.
 *
 * <p>The folder {@code META-INF/natives/<platform>/} of the jar contains the library, under the name that {@link
 * System#mapLibraryName} returns for {@code wgpu_native} on that platform, and a file with the same name and the
 * extension {@code .sha256}: the library's SHA-256 as 64 lower-case hex digits. If the build could not fetch the
 * library, the folder contains {@value #MISSING} instead: the reason, in one line.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface NativesBundle {
    /** The name of the file that a jar without its library contains. */
    String MISSING = "missing.txt";

    /**
     * Returns the platform of the library.
     *
     * @return {@code <os>-<arch>}: linux, macos or windows, then x86_64 or aarch64
     */
    String platform();

    /**
     * Finds a file of this jar.
     *
     * @param name its name under {@code META-INF/natives/<platform>/}
     * @return where it is, or empty if the jar has no such file
     */
    default Optional<URL> resource(String name) {
        Objects.requireNonNull(name, "name");
        return Optional.ofNullable(getClass().getResource("/META-INF/natives/" + platform() + "/" + name));
    }
}
