package io.devicearena.weights;

import io.devicearena.weights.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The tensors of a model, and their bytes. A reader of a format of its own implements it for {@link WeightLoader}.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the files are closed; afterwards reading throws {@link IllegalStateException}.
 */
public interface WeightSource {
    /** {@return the file that was opened; one of several, where there are more} */
    Path path();

    /** {@return the tensors by name, in the order of their data} */
    Map<String, Tensor> tensors();

    /**
     * {@return the tensor with a name}
     *
     * @param name its name in the file
     */
    default Optional<Tensor> tensor(String name) {
        return Optional.ofNullable(tensors().get(Objects.requireNonNull(name, "name")));
    }

    /**
     * Returns the bytes of a tensor: little-endian elements, one after another.
     *
     * @param tensor a tensor of this source
     * @return a segment of {@link Tensor#bytes} bytes, for any thread
     * @throws IllegalArgumentException if the tensor is of another source
     */
    MemorySegment bytes(Tensor tensor);

    /**
     * Copies bytes of a tensor to other memory. By default from {@link #bytes}; a source that can read its file faster
     * than through a mapping overrides it.
     *
     * @param tensor a tensor of this source
     * @param first where they begin, counted in bytes from the start of the tensor
     * @param destination where they land; as many are copied as it is long
     * @throws IllegalArgumentException if the tensor is of another source
     * @throws IndexOutOfBoundsException if the bytes are not all of the tensor
     */
    default void read(Tensor tensor, long first, MemorySegment destination) {
        MemorySegment.copy(bytes(tensor), first, destination, 0, destination.byteSize());
    }
}
