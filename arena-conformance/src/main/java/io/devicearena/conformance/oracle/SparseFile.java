package io.devicearena.conformance.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Memory of any size that takes neither memory nor room on the disk. */
public final class SparseFile {
    private SparseFile() {}

    /** Maps a new file of so many zeros, which is gone when the memory is; an interrupted thread, too. */
    public static MemorySegment map(long bytes, Arena arena) {
        return Interrupts.heldBack(() -> mapped(bytes, arena)); // a channel would be closed
    }

    private static MemorySegment mapped(long bytes, Arena arena) {
        try {
            Path file = Files.createTempFile("conformance", ".sparse");
            Files.delete(file); // created again as a sparse one
            try (FileChannel channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.SPARSE,
                    StandardOpenOption.DELETE_ON_CLOSE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot map a temporary file of " + bytes + " bytes", e);
        }
    }
}
