package io.devicearena.weights.tensor;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A value of a file's metadata, with the type that the file gives it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param key the name in the metadata
 * @param value a {@link String}, {@link BigInteger}, {@link Double}, {@link Boolean} or {@link MetadataArray}; in a
 *     text, bytes that are no UTF-8 are U+FFFD
 * @param textBytes the bytes of a text as the file has them, UTF-8 or not, read-only; none for other values
 */
public record MetadataValue(String key, Object value, ByteBuffer textBytes) {
    /** Makes a value. */
    public MetadataValue {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        textBytes = textBytes.asReadOnlyBuffer();
    }

    /**
     * Makes a value; a text has the bytes of its UTF-8.
     *
     * @param key the name in the metadata
     * @param value the value
     */
    public MetadataValue(String key, Object value) {
        this(
                key,
                value,
                ByteBuffer.wrap(value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : new byte[0]));
    }

    /** {@return the bytes of a text, with a position of their own} */
    @Override
    public ByteBuffer textBytes() {
        return textBytes.duplicate();
    }

    /**
     * {@return the text}
     *
     * @throws IllegalArgumentException if it is no text
     */
    public String text() {
        return as(String.class, "text");
    }

    /**
     * {@return the integer}
     *
     * @throws IllegalArgumentException if it is no integer, or larger than a long
     */
    public long integer() {
        BigInteger integer = as(BigInteger.class, "an integer");
        if (integer.bitLength() >= Long.SIZE) {
            throw new IllegalArgumentException(
                    key + ": expected an integer of at most " + Long.MAX_VALUE + ", got " + integer);
        }
        return integer.longValue();
    }

    /**
     * {@return the number, a float or an integer}
     *
     * @throws IllegalArgumentException if it is no number
     */
    public double number() {
        return value instanceof BigInteger integer ? integer.doubleValue() : as(Double.class, "a number");
    }

    /**
     * {@return the truth value}
     *
     * @throws IllegalArgumentException if it is of another type
     */
    public boolean flag() {
        return as(Boolean.class, "true or false");
    }

    /**
     * {@return the array}
     *
     * @throws IllegalArgumentException if it is of another type
     */
    public MetadataArray array() {
        return as(MetadataArray.class, "an array");
    }

    private <T> T as(Class<T> type, String expected) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(key + ": expected " + expected + ", got " + value);
        }
        return type.cast(value);
    }
}
