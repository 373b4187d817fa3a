package io.devicearena.weights;

import io.devicearena.weights.tensor.Tensor;
import java.util.Objects;

/**
 * How far loading is.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param tensor the tensor that is loaded now
 * @param bytes bytes of the file that are in the arena
 * @param totalBytes bytes of all tensors that are loaded
 * @param seconds time since the first byte
 */
public record LoadProgress(Tensor tensor, long bytes, long totalBytes, double seconds) {
    /** Makes a progress. */
    public LoadProgress {
        Objects.requireNonNull(tensor, "tensor");
    }

    /** {@return 10^9 bytes of the file per second; 0 before the first} */
    public double gigabytesPerSecond() {
        return seconds > 0 ? bytes / seconds / 1e9 : 0;
    }
}
