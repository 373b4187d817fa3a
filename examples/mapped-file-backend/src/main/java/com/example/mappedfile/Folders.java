package com.example.mappedfile;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.Capability;
import io.devicearena.DeviceKind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Set;

/** Folders, as devices on which arenas are opened. */
final class Folders {
    /** A cache line; the mapping itself begins at a page. */
    private static final long ALIGNMENT = 64;

    /** Below plain host memory, which is faster: a mapped file is used only when a program asks for it. */
    private static final int PRIORITY = DeviceKind.HOST.priority() - 50;

    private Folders() {}

    static ArenaDevice device(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        if (!Files.isWritable(folder)) {
            throw new AccessDeniedException(folder.toString());
        }
        FileStore store = Files.getFileStore(folder);
        return new ArenaDevice(
                MappedFileProvider.NAME,
                0,
                "files in " + folder,
                "file system " + store.name() + " of type " + store.type(),
                DeviceKind.HOST,
                PRIORITY,
                new ArenaLimits(
                        orUnlimited(store.getTotalSpace()), "size of the file system", ALIGNMENT, Long.MAX_VALUE),
                Set.of(Capability.HOST_MEMORY));
    }

    /**
     * Refuses a file that the file system has no room for. The file is sparse: writing to a page of it that the file
     * system cannot store would end in a fault, not in an answer.
     */
    static void requireRoom(Path folder, long bytes) throws IOException {
        long room = Files.getFileStore(folder).getUsableSpace();
        if (bytes > room) {
            throw new ArenaOutOfMemoryException("folder '" + folder + "': expected room for a file of " + bytes
                    + " bytes, got " + room + " bytes; free some, or use another folder");
        }
    }

    private static long orUnlimited(long bytes) {
        return bytes > 0 ? bytes : Long.MAX_VALUE; // some file systems report 0
    }
}
