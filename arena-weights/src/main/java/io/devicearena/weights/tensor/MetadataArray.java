package io.devicearena.weights.tensor;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * An array in a file's metadata, such as the vocabulary of a tokenizer. Its elements are read when they are asked for.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the file is closed; afterwards each method but {@link #size} throws {@link
 * IllegalStateException}.
 */
public interface MetadataArray {
    /** {@return the number of elements, 0 or more} */
    long size();

    /**
     * {@return the texts, each read when it is asked for; bytes that are no UTF-8 become U+FFFD}
     *
     * @throws IllegalArgumentException if the elements are no texts
     */
    List<String> texts();

    /**
     * {@return the bytes of the texts as the file has them, UTF-8 or not, each read when it is asked for}
     *
     * @throws IllegalArgumentException if the elements are no texts
     */
    List<ByteBuffer> textBytes();

    /**
     * {@return the integers, or truth values as 0 and 1, copied}
     *
     * @throws IllegalArgumentException if the elements are no integers, or too many for an array
     */
    long[] integers();

    /**
     * {@return the numbers, copied}
     *
     * @throws IllegalArgumentException if the elements are no numbers, or too many for an array
     */
    float[] floats();

    /**
     * {@return the arrays in this array}
     *
     * @throws IllegalArgumentException if the elements are no arrays
     */
    List<MetadataArray> arrays();
}
