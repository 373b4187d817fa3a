package io.devicearena.weights.internal.file;

import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/** A file in the address space: nothing of it is in memory until it is read. */
public final class MappedFile implements AutoCloseable {
    private final Path path;
    private final Arena arena;
    private final MemorySegment bytes;

    private MappedFile(Path path, Arena arena, MemorySegment bytes) {
        this.path = path;
        this.arena = arena;
        this.bytes = bytes;
    }

    /** Maps a file; folders, pipes and devices are refused, and never waited for. */
    public static MappedFile open(Path path) {
        Arena arena = Arena.ofShared();
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new WeightFileException(path, 0, "expected a file, got a folder, a pipe or a device");
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                return new MappedFile(path, arena, bytes.asReadOnly());
            }
        } catch (IOException e) {
            arena.close();
            throw new WeightFileException(path, 0, "expected a file that can be read, got " + reason(e), e);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "no such file";
            case AccessDeniedException denied -> "no permission";
            case FileSystemException refused when refused.getReason() != null -> refused.getReason();
            default -> e.toString();
        };
    }

    public Path path() {
        return path;
    }

    /** Returns the length of the file in bytes. */
    public long size() {
        return bytes.byteSize();
    }

    /** Returns the bytes; they must be read within {@link #reading}. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Runs what reads the bytes. A page that the file no longer has ends as an exception. */
    public <T> T reading(Supplier<T> work) {
        try {
            return work.get();
        } catch (InternalError e) { // what the JVM makes of the operating system's signal
            throw fault(size(), "expected " + size() + " bytes, as when it was opened; the file shrank or failed", e);
        }
    }

    /** Makes the exception for a fault in the file; places behind its end count as the end. */
    public WeightFileException fault(long offset, String problem) {
        return new WeightFileException(path, Math.min(offset, size()), problem);
    }

    private WeightFileException fault(long offset, String problem, Throwable cause) {
        return new WeightFileException(path, offset, problem, cause);
    }

    @Override
    public synchronized void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
