package io.devicearena;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Several writes that are made together, such as the inputs of a program.
 *
 * <p>An engine builds its batch once, changes the memory of the sources, and writes the batch before every step;
 * writing it again allocates nothing. Writes to the same bytes take effect in the order they were added.
 *
 * <p><b>Threads:</b> immutable; its sources are the caller's, and must not change during a call.
 */
public final class WriteBatch {
    private final List<Region> regions;

    private WriteBatch(List<Region> regions) {
        this.regions = List.copyOf(regions);
    }

    /** {@return a builder of an empty batch} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the writes, in the order they were added; immutable} */
    public List<Region> regions() {
        return regions;
    }

    /**
     * One write of a batch.
     *
     * <p><b>Threads:</b> immutable.
     */
    public sealed interface Region {
        /** {@return what is written: memory of the caller} */
        MemorySegment source();
    }

    /**
     * Writes host floats into a value, cast to its type: {@link DeviceArena#writeInputF32}.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param node the value
     * @param dtype what the arena is to hold: F32, F16 or BF16
     * @param source f32 elements in native byte order, a multiple of 4 bytes long
     */
    public record Floats(NodeId node, DType dtype, MemorySegment source) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if {@code dtype} is not a host float type, or the source is no multiple of 4
         *     bytes long
         */
        public Floats {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(dtype, "dtype");
            if (!dtype.isHostFloat()) {
                throw new IllegalArgumentException("dtype: expected f32, f16 or bf16, got " + dtype.label()
                        + "; write other types with elements(node, dtype, source)");
            }
            ReadBatch.requireWhole("source", source, Float.BYTES);
        }
    }

    /**
     * Writes elements into a value as they are: {@link DeviceArena#writeValue(NodeId, DType, MemorySegment)}.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param node the value
     * @param dtype the type of the elements
     * @param source elements in native byte order
     */
    public record Elements(NodeId node, DType dtype, MemorySegment source) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if the source is not a whole number of elements long
         */
        public Elements {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(dtype, "dtype");
            ReadBatch.requireWhole("source", source, dtype.bytes());
        }
    }

    /**
     * Writes raw bytes anywhere in the arena: {@link DeviceArena#writeBytes(long, MemorySegment)}.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param offset bytes from the arena's start, 0 or more
     * @param source the bytes
     */
    public record Bytes(long offset, MemorySegment source) implements Region {
        /**
         * Makes the region.
         *
         * @throws IllegalArgumentException if {@code offset} is negative
         */
        public Bytes {
            if (offset < 0) {
                throw new IllegalArgumentException("offset: expected 0 or more bytes, got " + offset);
            }
            Objects.requireNonNull(source, "source");
        }
    }

    /**
     * Collects the writes of a batch.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public static final class Builder {
        private final List<Region> regions = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a write of host floats into a value.
         *
         * @param node the value
         * @param dtype what the arena is to hold: F32, F16 or BF16
         * @param source f32 elements in native byte order, a multiple of 4 bytes long
         * @return this builder
         * @throws IllegalArgumentException as {@link Floats} says
         */
        public Builder floats(NodeId node, DType dtype, MemorySegment source) {
            regions.add(new Floats(node, dtype, source));
            return this;
        }

        /**
         * Adds a write of host floats into a value.
         *
         * @param node the value
         * @param dtype what the arena is to hold: F32, F16 or BF16
         * @param source host floats
         * @return this builder
         * @throws IllegalArgumentException as {@link Floats} says
         */
        public Builder floats(NodeId node, DType dtype, float[] source) {
            return floats(node, dtype, MemorySegment.ofArray(source));
        }

        /**
         * Adds a write of elements into a value as they are.
         *
         * @param node the value
         * @param dtype the type of the elements
         * @param source elements in native byte order
         * @return this builder
         * @throws IllegalArgumentException as {@link Elements} says
         */
        public Builder elements(NodeId node, DType dtype, MemorySegment source) {
            regions.add(new Elements(node, dtype, source));
            return this;
        }

        /**
         * Adds a write of raw bytes.
         *
         * @param offset bytes from the arena's start, 0 or more
         * @param source the bytes
         * @return this builder
         * @throws IllegalArgumentException as {@link Bytes} says
         */
        public Builder bytes(long offset, MemorySegment source) {
            regions.add(new Bytes(offset, source));
            return this;
        }

        /** {@return the batch of what was added} */
        public WriteBatch build() {
            return new WriteBatch(regions);
        }
    }
}
