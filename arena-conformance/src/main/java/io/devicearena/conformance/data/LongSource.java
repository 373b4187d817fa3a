package io.devicearena.conformance.data;

import io.devicearena.HostMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Supplier;

/**
 * Long memory of a caller, whose bytes the caller changes when a call has returned.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class LongSource implements AutoCloseable {
    /**
     * Where the bytes are.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Kind {
        /** An array of bytes. */
        BYTES("byte[]"),
        /** Native memory. */
        NATIVE("native memory"),
        /** A file, mapped for reading alone. */
        MAPPED_FILE("a mapped file"),
        /** An array of floats. */
        FLOATS("float[]"),
        /** An array of bytes that the arena can only read. */
        READ_ONLY_BYTES("a read-only byte[]"),
        /** Native memory that the arena can only read. */
        READ_ONLY_NATIVE("read-only native memory"),
        /** A file, mapped for reading and writing. */
        WRITABLE_FILE("a writable mapped file");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Where parts begin: mostly at a word, also at an odd byte. */
    private static final int[] BEGINNINGS = {0, 16, 3, 8, 1};

    private static final long ROOM = 16;
    private static final byte CHANGED = (byte) 0xEE;
    private static final int STRIPE = 256;
    private static final int BETWEEN_STRIPES = 1 << 14;

    private final Kind kind;
    private final Supplier<MemorySegment> filled;
    private final Supplier<MemorySegment> passed;
    private final List<AutoCloseable> owned;
    private long from;
    private long size;
    private int turn;

    private LongSource(
            Kind kind, Supplier<MemorySegment> filled, Supplier<MemorySegment> passed, List<AutoCloseable> owned) {
        this.kind = kind;
        this.filled = filled;
        this.passed = passed;
        this.owned = owned;
    }

    /**
     * Allocates memory of one kind.
     *
     * @param kind where
     * @param bytes how many a part may have
     * @return the memory
     */
    public static LongSource of(Kind kind, long bytes) {
        long size = (bytes + ROOM + 3) / Float.BYTES * Float.BYTES;
        return switch (kind) {
            case BYTES, READ_ONLY_BYTES -> over(kind, MemorySegment.ofArray(new byte[Math.toIntExact(size)]));
            case FLOATS -> over(kind, MemorySegment.ofArray(new float[Math.toIntExact(size / Float.BYTES)]));
            case NATIVE, READ_ONLY_NATIVE -> {
                Arena arena = Arena.ofShared();
                yield over(kind, arena.allocate(size, Long.BYTES), arena);
            }
            case MAPPED_FILE, WRITABLE_FILE -> file(kind, size);
        };
    }

    /**
     * Takes host memory of an arena, which the caller closes.
     *
     * @param host the memory
     * @return a source over it
     */
    public static LongSource of(HostMemory host) {
        return new LongSource(Kind.NATIVE, host::segment, host::segment, List.of());
    }

    private static LongSource over(Kind kind, MemorySegment memory, AutoCloseable... owned) {
        boolean readOnly = kind == Kind.READ_ONLY_BYTES || kind == Kind.READ_ONLY_NATIVE;
        MemorySegment passed = readOnly ? memory.asReadOnly() : memory;
        return new LongSource(kind, () -> memory, () -> passed, List.of(owned));
    }

    private static LongSource file(Kind kind, long size) {
        Arena arena = Arena.ofShared();
        try {
            Path path = Files.createTempFile("device-arena-long", ".bin");
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MemorySegment writable = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
                MemorySegment passed = kind == Kind.MAPPED_FILE
                        ? channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena)
                        : writable;
                return new LongSource(kind, () -> writable, () -> passed, List.of(arena, () -> Files.delete(path)));
            }
        } catch (IOException e) {
            arena.close();
            throw new UncheckedIOException("cannot map a temporary file of " + size + " bytes", e);
        }
    }

    /**
     * Fills the next part.
     *
     * @param bytes what it holds
     * @return what to pass to the arena
     */
    public MemorySegment hold(MemorySegment bytes) {
        size = bytes.byteSize();
        from = Math.min(BEGINNINGS[turn++ % BEGINNINGS.length], filled.get().byteSize() - size);
        filled.get().asSlice(from, size).copyFrom(bytes);
        return passed.get().asSlice(from, size);
    }

    /** Changes bytes of the part all over: an arena that still reads them shows it. */
    public void change() {
        MemorySegment part = filled.get().asSlice(from, size);
        for (long at = 0; at < size; at += BETWEEN_STRIPES) {
            part.asSlice(at, Math.min(STRIPE, size - at)).fill(CHANGED);
        }
        long end = Math.min(size, BETWEEN_STRIPES);
        part.asSlice(size - end, end).fill(CHANGED);
    }

    @Override
    public void close() {
        try {
            for (AutoCloseable one : owned) {
                one.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(kind + ": cannot be released", e);
        }
    }

    @Override
    public String toString() {
        return kind.toString();
    }
}
