package io.devicearena.wgpu.internal.loading;

import java.nio.file.Path;

/**
 * The result of loading the library.
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
     * @param place where it was found, for messages: for example {@code natives jar}
     * @param version its version, that of the bindings
     */
    record Loaded(Path file, String place, LibraryVersion version) implements LoadResult {}

    /**
     * No library is loaded; the bindings must not be used.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param reason every place that was tried and why it failed, in one line
     * @param remedy what to do about it, in one line
     */
    record Failed(String reason, String remedy) implements LoadResult {}
}
