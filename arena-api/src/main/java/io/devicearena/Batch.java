package io.devicearena;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Several transfers between an arena and memory of the caller that are made together: one submission and one wait for
 * any number of them. The same batch can be written to an arena and read from it.
 *
 * <p>An engine builds its batches once and moves them in every step; moving one again allocates nothing. Writes to the
 * same bytes take effect in the order in which their regions were added. The memory of a batch that is read must not
 * overlap.
 *
 * <p><b>Threads:</b> immutable; its memory is the caller's, and must not change during a call.
 */
public final class Batch {
    private final List<Region> regions;

    /** What the arena that moved this batch last made of it, for its next call; set by {@code spi.SlotTable}. */
    @SuppressWarnings({"unused", "UnusedVariable"}) // by a VarHandle: no public method should show it
    private volatile @Nullable Object written;

    /** The same for reads, whose length may differ. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private volatile @Nullable Object read;

    private Batch(List<Region> regions) {
        this.regions = List.copyOf(regions);
    }

    /** {@return a builder of an empty batch} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the transfers, in the order they were added; immutable} */
    public List<Region> regions() {
        return regions;
    }

    /**
     * One transfer of a batch.
     *
     * <p><b>Threads:</b> immutable.
     */
    public sealed interface Region {
        /** {@return what is written, or where a read lands: memory of the caller} */
        MemorySegment memory();
    }

    /**
     * A value as host floats, cast to its type and back; as many as the value and the memory both hold.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param node the value
     * @param dtype what the arena holds: F32, F16 or BF16
     * @param memory f32 elements in native byte order, a multiple of 4 bytes long
     */
    public record Floats(NodeId node, DType dtype, MemorySegment memory) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if {@code dtype} is not a host float type, or the memory is no multiple of 4
         *     bytes long
         */
        public Floats {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(dtype, "dtype");
            if (!dtype.isHostFloat()) {
                throw new IllegalArgumentException("dtype: expected f32, f16 or bf16, got " + dtype.label()
                        + "; move other types with elements(node, dtype, memory)");
            }
            requireWhole(memory, Float.BYTES);
        }
    }

    /**
     * Elements of a value as they are. A write has no more of them than the value; a read ends where the value or the
     * memory does.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param node the value
     * @param dtype the type of the elements
     * @param memory elements in native byte order
     */
    public record Elements(NodeId node, DType dtype, MemorySegment memory) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if the memory is not a whole number of elements long
         */
        public Elements {
            Objects.requireNonNull(node, "node");
            requireWhole(memory, Objects.requireNonNull(dtype, "dtype").bytes());
        }
    }

    /**
     * Raw bytes anywhere in the arena; the length of the memory says how many.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param offset bytes from the arena's start, 0 or more
     * @param memory the bytes, or where they land
     */
    public record Bytes(long offset, MemorySegment memory) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if {@code offset} is negative
         */
        public Bytes {
            if (offset < 0) {
                throw new IllegalArgumentException("offset: expected 0 or more bytes, got " + offset);
            }
            Objects.requireNonNull(memory, "memory");
        }
    }

    private static void requireWhole(MemorySegment memory, int unit) {
        if (Objects.requireNonNull(memory, "memory").byteSize() % unit != 0) {
            throw new IllegalArgumentException("memory: expected a multiple of " + unit + " bytes, got "
                    + memory.byteSize() + "; pass whole elements");
        }
    }

    /**
     * Collects the transfers of a batch.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public static final class Builder {
        private final List<Region> regions = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a value as host floats.
         *
         * @param node the value
         * @param dtype what the arena holds: F32, F16 or BF16
         * @param memory f32 elements in native byte order, a multiple of 4 bytes long
         * @return this builder
         * @throws IllegalArgumentException as {@link Floats} says
         */
        public Builder floats(NodeId node, DType dtype, MemorySegment memory) {
            regions.add(new Floats(node, dtype, memory));
            return this;
        }

        /**
         * Adds a value as host floats of an array.
         *
         * @param node the value
         * @param dtype what the arena holds: F32, F16 or BF16
         * @param memory host floats
         * @return this builder
         * @throws IllegalArgumentException as {@link Floats} says
         */
        public Builder floats(NodeId node, DType dtype, float[] memory) {
            return floats(node, dtype, MemorySegment.ofArray(memory));
        }

        /**
         * Adds elements of a value as they are.
         *
         * @param node the value
         * @param dtype the type of the elements
         * @param memory elements in native byte order
         * @return this builder
         * @throws IllegalArgumentException as {@link Elements} says
         */
        public Builder elements(NodeId node, DType dtype, MemorySegment memory) {
            regions.add(new Elements(node, dtype, memory));
            return this;
        }

        /**
         * Adds raw bytes.
         *
         * @param offset bytes from the arena's start, 0 or more
         * @param memory the bytes, or where they land; its length says how many
         * @return this builder
         * @throws IllegalArgumentException as {@link Bytes} says
         */
        public Builder bytes(long offset, MemorySegment memory) {
            regions.add(new Bytes(offset, memory));
            return this;
        }

        /** {@return the batch of what was added} */
        public Batch build() {
            return new Batch(regions);
        }
    }
}
