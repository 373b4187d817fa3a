package io.devicearena.weights.reader;

import io.devicearena.weights.tensor.TensorType;
import java.util.HexFormat;
import java.util.List;

/**
 * Names and shapes of tensors, checked: files are not trusted.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class TensorSizes {
    /** The most dimensions of a tensor, as in NumPy and PyTorch. */
    public static final int MOST_DIMENSIONS = 64;
    /** The most tensors of a file: large models have some ten thousand, and a million of them fit in the heap. */
    public static final int MOST_TENSORS = 1_000_000;
    /** The longest name, in bytes of UTF-8. */
    public static final int LONGEST_NAME = 65_535;

    private TensorSizes() {}

    /**
     * {@return the bytes of a shape}
     *
     * @param type the type of the elements
     * @param shape the dimensions, the outermost first
     * @throws IllegalArgumentException if a dimension is negative, a row has no whole number of blocks, or there are
     *     more bytes than a long counts
     */
    public static long bytes(TensorType type, List<Long> shape) {
        for (long dimension : shape) {
            if (dimension < 0) {
                throw new IllegalArgumentException("expected dimensions of 0 or more, got the shape " + shape);
            }
        }
        if (shape.contains(0L)) {
            return 0;
        }
        try {
            long bytes = shape.isEmpty() ? type.blockBytes() : type.rowBytes(shape.getLast());
            for (int i = 0; i < shape.size() - 1; i++) {
                bytes = Math.multiplyExact(bytes, shape.get(i));
            }
            return bytes;
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "expected a shape of at most " + Long.MAX_VALUE + " bytes, got " + shape + " of " + type, e);
        }
    }

    /**
     * {@return a name with its control characters escaped: names are printed to terminals}
     *
     * @param name the name in the file
     */
    public static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().forEach(c -> {
            if (Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.FORMAT) {
                text.append("\\u").append(HexFormat.of().toHexDigits((char) c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text.toString();
    }

    /**
     * {@return whether a name has no characters that a terminal obeys}
     *
     * @param name the name in the file
     */
    public static boolean isPrintable(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) < ' ' || name.charAt(i) > '~') { // other alphabets are rare: the slow way
                return escaped(name).equals(name);
            }
        }
        return true;
    }
}
