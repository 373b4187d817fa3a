package io.devicearena.weights.internal.file;

import io.devicearena.weights.tensor.TensorType;
import java.util.HexFormat;
import java.util.List;

/** Bytes of a shape, checked: files are not trusted. */
public final class TensorSizes {
    /** As NumPy and PyTorch. */
    public static final int MOST_DIMENSIONS = 64;
    /** Larger models have some ten thousand tensors; a million of them fit in the heap. */
    public static final int MOST_TENSORS = 1_000_000;
    /** The longest name, in bytes of UTF-8. */
    public static final int LONGEST_NAME = 65_535;

    private TensorSizes() {}

    /** Returns the bytes of a shape, or throws an IllegalArgumentException that says what is wrong with it. */
    public static long bytes(TensorType type, List<Long> shape) {
        if (shape.stream().anyMatch(dimension -> dimension < 0)) {
            throw new IllegalArgumentException("expected dimensions of 0 or more, got the shape " + shape);
        }
        if (shape.contains(0L)) {
            return 0;
        }
        long blocks = 1;
        try {
            for (int i = 0; i < shape.size(); i++) {
                blocks = Math.multiplyExact(blocks, i < shape.size() - 1 ? shape.get(i) : blocks(type, shape.get(i)));
            }
            return Math.multiplyExact(blocks, type.blockBytes());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "expected a shape of at most " + Long.MAX_VALUE + " bytes, got " + shape + " of " + type, e);
        }
    }

    private static long blocks(TensorType type, long columns) {
        if (columns % type.blockElements() != 0) {
            throw new IllegalArgumentException("expected rows of whole blocks of " + type.blockElements()
                    + " elements, as " + type + " has them, got rows of " + columns);
        }
        return columns / type.blockElements();
    }

    /** Returns the name with its control characters escaped: files are printed to terminals. */
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

    /** Returns whether a name has characters that a terminal obeys. */
    public static boolean isPrintable(String name) {
        return escaped(name).equals(name);
    }
}
