package io.devicearena;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Several reads that are made together: one submission and one wait for any number of them.
 *
 * <p>An engine builds its batch once and reads it after every step; reading it again allocates nothing. The
 * destinations of a batch must not overlap each other.
 *
 * <p><b>Threads:</b> immutable; its destinations are the caller's.
 */
public final class ReadBatch {
    private final List<Region> regions;

    private ReadBatch(List<Region> regions) {
        this.regions = List.copyOf(regions);
    }

    /** {@return a builder of an empty batch} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the reads, in the order they were added; immutable} */
    public List<Region> regions() {
        return regions;
    }

    /**
     * One read of a batch.
     *
     * <p><b>Threads:</b> immutable.
     */
    public sealed interface Region {
        /** {@return where the read lands: memory of the caller, not read-only} */
        MemorySegment destination();
    }

    /**
     * Reads a value as host floats; as many as the value and the destination both hold.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param node the value
     * @param dtype what the arena holds: F32, F16 or BF16
     * @param destination f32 elements in native byte order, a multiple of 4 bytes long
     */
    public record Output(NodeId node, DType dtype, MemorySegment destination) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if {@code dtype} is not a host float type, or the destination is read-only
         *     or no multiple of 4 bytes long
         */
        public Output {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(dtype, "dtype");
            if (!dtype.isHostFloat()) {
                throw new IllegalArgumentException("dtype: expected f32, f16 or bf16, got " + dtype.label()
                        + "; read other types with elements(node, dtype, destination)");
            }
            requireWritable(destination);
            requireWhole("destination", destination, Float.BYTES);
        }
    }

    /**
     * Reads elements of a value as they are; as many as the value and the destination both hold.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param node the value
     * @param dtype the type of the elements
     * @param destination elements in native byte order
     */
    public record Elements(NodeId node, DType dtype, MemorySegment destination) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if the destination is read-only or not a whole number of elements long
         */
        public Elements {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(dtype, "dtype");
            requireWritable(destination);
            requireWhole("destination", destination, dtype.bytes());
        }
    }

    /**
     * Reads raw bytes; the destination's length says how many.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param offset bytes from the arena's start, 0 or more
     * @param destination where they land
     */
    public record Bytes(long offset, MemorySegment destination) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if {@code offset} is negative or the destination is read-only
         */
        public Bytes {
            if (offset < 0) {
                throw new IllegalArgumentException("offset: expected 0 or more bytes, got " + offset);
            }
            requireWritable(destination);
        }
    }

    static void requireWhole(String name, MemorySegment memory, int unit) {
        if (Objects.requireNonNull(memory, name).byteSize() % unit != 0) {
            throw new IllegalArgumentException(name + ": expected a multiple of " + unit + " bytes, got "
                    + memory.byteSize() + "; pass whole elements");
        }
    }

    private static void requireWritable(MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("destination: expected writable memory, got a read-only segment of "
                    + destination.byteSize() + " bytes; pass memory of your own");
        }
    }

    /**
     * Collects the reads of a batch.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public static final class Builder {
        private final List<Region> regions = new ArrayList<>();

        private Builder() {}

        /**
         * Adds the read of a value into memory.
         *
         * @param node the value
         * @param dtype what the arena holds: F32, F16 or BF16
         * @param destination f32 elements in native byte order, a multiple of 4 bytes long
         * @return this builder
         * @throws IllegalArgumentException as {@link Output} says
         */
        public Builder output(NodeId node, DType dtype, MemorySegment destination) {
            regions.add(new Output(node, dtype, destination));
            return this;
        }

        /**
         * Adds the read of a value into an array.
         *
         * @param node the value
         * @param dtype what the arena holds: F32, F16 or BF16
         * @param destination host floats
         * @return this builder
         * @throws IllegalArgumentException as {@link Output} says
         */
        public Builder output(NodeId node, DType dtype, float[] destination) {
            return output(node, dtype, MemorySegment.ofArray(destination));
        }

        /**
         * Adds the read of elements of a value as they are.
         *
         * @param node the value
         * @param dtype the type of the elements
         * @param destination elements in native byte order
         * @return this builder
         * @throws IllegalArgumentException as {@link Elements} says
         */
        public Builder elements(NodeId node, DType dtype, MemorySegment destination) {
            regions.add(new Elements(node, dtype, destination));
            return this;
        }

        /**
         * Adds the read of raw bytes.
         *
         * @param offset bytes from the arena's start, 0 or more
         * @param destination where they land; its length says how many
         * @return this builder
         * @throws IllegalArgumentException as {@link Bytes} says
         */
        public Builder bytes(long offset, MemorySegment destination) {
            regions.add(new Bytes(offset, destination));
            return this;
        }

        /** {@return the batch of what was added} */
        public ReadBatch build() {
            return new ReadBatch(regions);
        }
    }
}
