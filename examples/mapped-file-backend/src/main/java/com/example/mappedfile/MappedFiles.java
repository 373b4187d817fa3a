package com.example.mappedfile;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Opens arenas whose file stays.
 *
 * <p>The first time, the file is made and reads as zero. Opened again with the same plan and scratch, by this process
 * or another, it holds the bytes that it held when it was closed. Actual lengths are not kept: set them again.
 *
 * <p><b>Crashes:</b> what a call wrote survives the end of the process, however it ends. It survives a loss of power
 * once {@link DeviceArena#flush} or {@link DeviceArena#close} has returned after it; until then any part of it may be
 * lost, page by page and in any order. Nothing is undone: a write that was cut off half-way stays half done.
 *
 * <p><b>Two at once:</b> an open file is locked. A second open, in this process or another, throws an
 * {@link IOException}; the lock ends with the arena or with its process.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class MappedFiles {
    private MappedFiles() {}

    /**
     * Opens an arena over a file, without scratch.
     *
     * @param file the file, created when it does not exist; its folder must exist
     * @param plan where the values live
     * @return the arena
     * @throws IllegalArgumentException if the file was made with another plan, with scratch, or on a machine of another
     *     byte order
     * @throws IOException if the file is open already, it is no arena's file, or the file system fails
     */
    public static DeviceArena open(Path file, MemoryPlan plan) throws IOException {
        return open(file, plan, ArenaOptions.defaults().withLabel(file.toString()));
    }

    /**
     * Opens an arena over a file.
     *
     * @param file the file, created when it does not exist; its folder must exist
     * @param plan where the values live
     * @param options scratch and label; provider and device are chosen by the file
     * @return the arena
     * @throws IllegalArgumentException if the file was made with another plan, other scratch, or on a machine of
     *     another byte order, or the plan is larger than the file system
     * @throws io.devicearena.ArenaOutOfMemoryException if the file is new and the file system does not have enough room
     *     for it
     * @throws IOException if the file is open already, it is no arena's file, or the file system fails
     */
    public static DeviceArena open(Path file, MemoryPlan plan, ArenaOptions options) throws IOException {
        ArenaDevice device = Folders.device(file.toAbsolutePath().getParent());
        try {
            return new MappedFileProvider((of, geometry) -> kept(file, of, geometry))
                    .openArena(device, plan, options);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ArenaFile kept(Path file, MemoryPlan plan, ArenaGeometry geometry) {
        try {
            return ArenaFile.kept(file, geometry.sizeBytes(), new FileLabel(plan, geometry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
