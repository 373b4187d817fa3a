package io.devicearena.wgpu.natives;

import java.net.URL;
import java.util.Objects;
import java.util.Optional;

/**
 * A jar with the wgpu-native library of one platform. Each natives jar registers one implementation, in its module
 * declaration and in {@code META-INF/services}; the loader of the library calls it.
 *
 * <p>The jar holds, under {@code META-INF/natives/<platform>/}, the library under the name that
 * {@link System#mapLibraryName} gives to {@code wgpu_native} there, and beside it a file of the same name with
 * {@code .sha256} at its end: the library's SHA-256 as 64 lower-case hex digits. A jar built where the library could not
 * be had holds {@value #MISSING} instead: the reason, in one line.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface NativesBundle {
    /** The name of the file that a jar without its library holds. */
    String MISSING = "missing.txt";

    /**
     * Returns the platform that the library is for.
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
