package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;

/**
 * Loads wgpu-native. The bindings may be used only after {@link #load} returned a {@link LoadResult.Loaded}.
 *
 * <p>It tries these places, in this order:
 *
 * <ol>
 *   <li>the file that the property {@code devicearena.wgpu.library} or the variable {@code DEVICEARENA_WGPU_LIBRARY}
 *       names; if one is named, no other place is tried
 *   <li>the natives jar of this platform, unpacked to the cache folder ({@code devicearena.wgpu.cache}, {@code
 *       DEVICEARENA_WGPU_CACHE}, else a folder of the user)
 *   <li>the folders of {@code java.library.path}
 * </ol>
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class WgpuLibrary {
    /** The result of the only attempt of this process. */
    private static final LoadResult RESULT = attempt();

    private WgpuLibrary() {}

    /**
     * Loads the library at the first call; every later call returns the same result. It never throws: a failure is a
     * result.
     *
     * @return the loaded library, or why none was loaded
     */
    public static LoadResult load() {
        return RESULT;
    }

    private static LoadResult attempt() {
        try {
            return new LibraryResolver(Settings.ofProcess(), NativesOnPath.ofProcess()).resolve();
        } catch (RuntimeException | LinkageError e) {
            // for example a natives jar of another party; the program can still use the CPU
            return new LoadResult.Failed(
                    "wgpu-native " + LibraryVersion.OF_BINDINGS + " did not load: " + e,
                    "set -D" + LibraryResolver.PROPERTY + "=FILE to a file with wgpu-native "
                            + LibraryVersion.OF_BINDINGS);
        }
    }
}
