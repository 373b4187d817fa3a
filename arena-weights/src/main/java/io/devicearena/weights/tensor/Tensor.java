package io.devicearena.weights.tensor;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A tensor of a file: what it is, and where its bytes are.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name its name in the file, without control characters
 * @param type how its elements are stored
 * @param shape its dimensions, the outermost first (row-major, in both formats); empty for a single element
 * @param file the file with its bytes: one of several, where weights are sharded or split
 * @param offset bytes from the start of that file
 * @param bytes its length, 0 or more
 */
public record Tensor(String name, TensorType type, List<Long> shape, Path file, long offset, long bytes) {
    /** Makes a tensor; the shape is copied. */
    public Tensor {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        shape = List.copyOf(shape);
        Objects.requireNonNull(file, "file");
    }

    /** {@return the number of elements: the product of the shape} */
    public long elements() {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }
}
