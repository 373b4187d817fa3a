package io.devicearena.wgpu.internal.loading;

import org.jspecify.annotations.Nullable;

/**
 * Loads wgpu-native. Whoever uses the bindings asks here first: they may be touched only after a {@link
 * LoadResult.Loaded}, and never after a {@link LoadResult.Failed}.
 *
 * <p>Places, in this order: the file that the property {@code devicearena.wgpu.library} or the variable {@code
 * DEVICEARENA_WGPU_LIBRARY} names, and then no other; the natives jar of this platform, unpacked to the cache folder
 * ({@code devicearena.wgpu.cache}, {@code DEVICEARENA_WGPU_CACHE}, else the user's); the folders of {@code
 * java.library.path}.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class WgpuLibrary {
    private static final Object LOCK = new Object();

    /** What the one attempt of this process gave. */
    private static @Nullable LoadResult result;

    private WgpuLibrary() {}

    /**
     * Loads the library at the first call; every later call has the same answer. Never throws: what went wrong is in
     * the answer.
     *
     * @return the library that is loaded, or why there is none
     */
    public static LoadResult load() {
        synchronized (LOCK) {
            LoadResult known = result;
            if (known == null) {
                known = attempt();
                result = known;
            }
            return known;
        }
    }

    private static LoadResult attempt() {
        try {
            return new LibraryResolver(ProcessEnvironment.ofProcess(), NativesOnPath.ofProcess()).resolve();
        } catch (RuntimeException | LinkageError e) {
            // a natives jar of somebody else's, or a security rule of the process; the CPU shall still be used
            return new LoadResult.Failed(
                    "wgpu-native " + LibraryVersion.OF_BINDINGS + " did not load: " + e,
                    "set -D" + LibraryResolver.PROPERTY + "=FILE to a file with wgpu-native "
                            + LibraryVersion.OF_BINDINGS);
        }
    }
}
