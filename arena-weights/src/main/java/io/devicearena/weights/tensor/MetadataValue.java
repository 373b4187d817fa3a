package io.devicearena.weights.tensor;

import java.math.BigInteger;
import java.util.Objects;

/**
 * A value of a file's metadata, with the type that the file gives it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param key the name in the metadata
 * @param value a {@link String}, {@link BigInteger}, {@link Double}, {@link Boolean} or {@link MetadataArray}
 */
public record MetadataValue(String key, Object value) {
    /** Makes a value. */
    public MetadataValue {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
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
     * @throws IllegalArgumentException if it is none
     */
    public boolean flag() {
        return as(Boolean.class, "true or false");
    }

    /**
     * {@return the array}
     *
     * @throws IllegalArgumentException if it is none
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
