package io.devicearena.kernels.convolution;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * How a resized image gets its elements from those of the original.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the attributes of {@code Resize} of ONNX, opset 19, which have the same names.
 *
 * @param mode the nearest element or a mean of neighbours
 * @param coordinates where an element of the result is in the original
 * @param rounding which element is nearest; without meaning for {@link Mode#LINEAR}
 */
public record Interpolation(Mode mode, Coordinates coordinates, Rounding rounding) {
    /** Checks that nothing is null. */
    public Interpolation {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(coordinates, "coordinates");
        Objects.requireNonNull(rounding, "rounding");
    }

    /**
     * Returns what the names of ONNX mean.
     *
     * @param mode {@code nearest} or {@code linear}
     * @param coordinates such as {@code half_pixel}
     * @param rounding such as {@code floor}
     * @return the interpolation, or none if one of the names is not known here
     */
    public static Optional<Interpolation> of(String mode, String coordinates, String rounding) {
        return named(Mode.values(), mode)
                .flatMap(how -> named(Coordinates.values(), coordinates)
                        .flatMap(where -> named(Rounding.values(), rounding)
                                .map(nearest -> new Interpolation(how, where, nearest))));
    }

    private static <E extends Enum<E>> Optional<E> named(E[] values, String name) {
        return Arrays.stream(values)
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /**
     * What an element of the result is.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Mode {
        /** One element of the original. */
        NEAREST,
        /** The mean of two by two elements, by their distances. */
        LINEAR
    }

    /**
     * Where an element of the result is in the original, from its number i, the scale s, and the lengths of both.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Coordinates {
        /** i / s. */
        ASYMMETRIC,
        /** (i + 1/2) / s - 1/2. */
        HALF_PIXEL,
        /** The same; 0 if the result has the length 1. */
        PYTORCH_HALF_PIXEL,
        /** i (length - 1) / (length of the result - 1); 0 if the result has the length 1. */
        ALIGN_CORNERS
    }

    /**
     * How a place becomes the number of an element.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Rounding {
        /** Down. */
        FLOOR,
        /** Up. */
        CEIL,
        /** To the nearest, a half down. */
        ROUND_PREFER_FLOOR,
        /** To the nearest, a half up. */
        ROUND_PREFER_CEIL
    }
}
