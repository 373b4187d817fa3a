package io.devicearena.wgpu.internal.loading;

import java.nio.file.Path;

/**
 * What became of looking for the library.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface LoadResult {
    /**
     * The library is loaded, and the bindings may be used.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param file the file that was loaded
     * @param place where it was found, for people: {@code natives jar}, for example
     * @param version its version, that of the bindings
     */
    record Loaded(Path file, String place, LibraryVersion version) implements LoadResult {}

    /**
     * No library is loaded; the bindings must not be touched.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param reason every place that was tried and why it failed, in one line
     * @param remedy what would change that, in one line
     */
    record Failed(String reason, String remedy) implements LoadResult {}
}
