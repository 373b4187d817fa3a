package io.devicearena.weights.reader;

import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file in the address space: nothing of it is in memory until it is read. It is mapped when {@link #bytes} is called
 * first.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until {@link #close}; afterwards reading throws {@link IllegalStateException}.
 */
public final class MappedFile implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;
    private final long size;
    private volatile @Nullable Mapping mapping;

    /** The bytes, and what unmaps them. */
    private record Mapping(Arena arena, MemorySegment bytes) {}

    private MappedFile(Path path, FileChannel channel, long size) {
        this.path = path;
        this.channel = channel;
        this.size = size;
    }

    /**
     * Opens a file; folders, pipes and devices are refused, and never waited for. So are Git LFS pointers and web
     * pages, which lie in place of files that were not fetched.
     *
     * @param path the file
     * @return the file, to be closed
     * @throws WeightFileException if it cannot be read
     */
    public static MappedFile open(Path path) {
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new WeightFileException(path, "expected a file, got a folder, a pipe or a device");
            }
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            try {
                MappedFile file = new MappedFile(path, channel, channel.size());
                FirstBytes.placeholder(file.firstBytes()).ifPresent(problem -> {
                    throw file.fault(0, problem);
                });
                return file;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            WeightFileException fault =
                    new WeightFileException(path, "expected a file that can be read, got " + reason(e));
            fault.initCause(e);
            throw fault;
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

    /** {@return the path that was opened} */
    public Path path() {
        return path;
    }

    /** {@return the length of the file in bytes, when it was opened} */
    public long size() {
        return size;
    }

    /** {@return the first bytes, for {@link FirstBytes}: at most {@link FirstBytes#MOST}} */
    public byte[] firstBytes() {
        byte[] begin = new byte[(int) Math.min(FirstBytes.MOST, size)];
        read(0, ByteBuffer.wrap(begin));
        return begin;
    }

    /**
     * {@return the bytes, read-only, for any thread; they must be read within {@link #reading}}
     *
     * @throws WeightFileException if the file shrank since it was opened, or cannot be mapped
     * @throws IllegalStateException if the file is closed
     */
    public MemorySegment bytes() {
        Mapping known = mapping;
        return (known == null ? map() : known).bytes();
    }

    /**
     * Returns some of the bytes, to be read outside of {@link #reading}: what has shrunk by now is refused.
     *
     * @param offset where they begin
     * @param length how many
     * @return a read-only segment, for any thread
     * @throws WeightFileException if the file shrank since it was opened, or cannot be mapped
     * @throws IllegalStateException if the file is closed
     */
    public MemorySegment bytes(long offset, long length) {
        requireWhole();
        return bytes().asSlice(offset, length);
    }

    /** Pages behind the end of a file that shrank end the process, or come as zeros. */
    private void requireWhole() {
        try {
            long now = channel.size();
            if (now < size) {
                throw fault(now, "expected " + size + " bytes, as when it was opened; it shrank");
            }
        } catch (IOException e) {
            throw failed(e, 0);
        }
    }

    private synchronized Mapping map() {
        Mapping known = mapping;
        if (known != null) {
            return known;
        }
        Arena arena = Arena.ofShared();
        try {
            requireWhole();
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
            Mapping mapped = new Mapping(arena, bytes.asReadOnly());
            mapping = mapped;
            return mapped;
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e instanceof IOException failure ? failed(failure, 0) : (RuntimeException) e;
        }
    }

    private RuntimeException failed(IOException e, long offset) {
        return e instanceof ClosedChannelException
                ? new IllegalStateException("file '" + path + "': expected it to be open, got it closed", e)
                : fault(offset, "expected a file that can be read, got " + reason(e), e);
    }

    /**
     * Runs what reads the bytes. A page that the file no longer has ends as an exception, also where the JVM reports it
     * late, or not at all.
     *
     * @param <T> the type of the result
     * @param work what reads
     * @return its result
     * @throws WeightFileException if the file shrank since it was opened
     */
    public <T> T reading(Supplier<T> work) {
        try {
            T result = work.get();
            requireWhole(); // in compiled code the error below may arrive after the read: at the latest in this call
            return result;
        } catch (InternalError e) { // what the JVM makes of the operating system's signal
            throw fault(size(), "expected " + size() + " bytes, as when it was opened; the file shrank or failed", e);
        }
    }

    /**
     * Reads bytes without the mapping: the fastest way into other memory, since no page is mapped for it.
     *
     * @param offset where they begin
     * @param destination where they land; as many are read as it is long
     * @throws WeightFileException if the file is shorter than it was, or fails
     * @throws IllegalStateException if the file is closed
     */
    public void read(long offset, MemorySegment destination) {
        read(offset, destination.asByteBuffer());
    }

    /**
     * Reads bytes into a buffer, from its position to its limit; afterwards it has none remaining.
     *
     * @param offset where they begin
     * @param destination where they land
     * @throws WeightFileException if the file is shorter than it was, or fails
     * @throws IllegalStateException if the file is closed
     */
    public void read(long offset, ByteBuffer destination) {
        long begin = offset - destination.position();
        try {
            while (destination.hasRemaining()) {
                if (channel.read(destination, begin + destination.position()) < 0) {
                    throw fault(channel.size(), "expected " + size + " bytes, as when it was opened; it shrank");
                }
            }
        } catch (IOException e) {
            throw failed(e, offset);
        }
    }

    /**
     * Makes the exception for a fault in the file.
     *
     * @param offset bytes from its start; places after its end count as the end
     * @param problem what was expected and what is there
     * @return the exception, to be thrown
     */
    public WeightFileException fault(long offset, String problem) {
        return new WeightFileException(path, Math.min(offset, size()), problem);
    }

    private WeightFileException fault(long offset, String problem, Throwable cause) {
        return new WeightFileException(path, offset, problem, cause);
    }

    @Override
    public synchronized void close() {
        Mapping known = mapping;
        if (known != null && known.arena().scope().isAlive()) {
            known.arena().close();
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw fault(0, "expected a file that can be closed, got " + reason(e), e);
        }
    }
}
