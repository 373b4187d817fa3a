package io.devicearena.kernels.packed;

import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Multiplies a packed row without an unpacked copy of it, by the Vector API of the JDK, which is an incubator module.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface DirectRows {
    /**
     * Returns the products of a type. The first call for a type takes 0.1 to 0.6 s, in which the JIT compiles
     * them.
     *
     * @param type of the rows
     * @return empty if the JVM runs without {@code --add-modules jdk.incubator.vector}, if its vectors have other than
     *     8 or 16 floats, or for types other than Q8_0, Q5_0, Q4_1, Q4_K and Q6_K
     */
    static Optional<DirectRows> of(TensorType type) {
        boolean isThere = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && VectorRows.fitsVectors();
        return !isThere
                ? Optional.empty()
                : switch (type) {
                    case Q8_0 -> Optional.of(VectorRows.compiled(type, VectorRows::eight));
                    case Q5_0 -> Optional.of(VectorRows.compiled(type, VectorRows::five));
                    case Q4_1 -> Optional.of(VectorRows.compiled(type, VectorRows::four));
                    case Q4_K -> Optional.of(VectorRows.compiled(type, VectorSuperBlocks::four));
                    case Q6_K -> Optional.of(VectorRows.compiled(type, VectorSuperBlocks::six));
                    default -> Optional.empty();
                };
    }

    /**
     * Multiplies a row by a row of floats.
     *
     * @param bytes the matrix
     * @param first where the row begins: bytes from the start of {@code bytes}
     * @param blocks of the row, 1 or more
     * @param x as many floats as the row has elements, or more
     * @return the product
     */
    float multiply(MemorySegment bytes, long first, int blocks, float[] x);
}
