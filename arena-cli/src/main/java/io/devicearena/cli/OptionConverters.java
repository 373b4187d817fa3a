package io.devicearena.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the values of options to numbers and paths. One that is neither is rejected with what is valid. */
final class OptionConverters {
    private OptionConverters() {}

    private static long whole(String text, long least, String expected) {
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // rejected below: no digits, or too many
        }
        throw new TypeConversionException("expected " + expected + ", got '" + text + "'");
    }

    /** The name of a file or a folder. */
    static final class PathName implements ITypeConverter<Path> {
        private static final char REPLACEMENT = '\ufffd'; // Java's reading of bytes that the locale does not encode

        @Override
        public Path convert(String text) {
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw new TypeConversionException(
                        text.indexOf(REPLACEMENT) >= 0
                                ? "expected a name in the encoding of the locale, "
                                        + System.getProperty("sun.jnu.encoding") + ", got '" + text
                                        + "'; use a locale with UTF-8, for example LC_ALL=C.UTF-8"
                                : "expected the name of a file, got '" + text + "': " + e.getReason());
            }
        }
    }

    /** A number of bytes. */
    static final class Bytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, 0, "a whole number of bytes from 0 to " + Long.MAX_VALUE);
        }
    }

    /** An alignment in bytes; the planner checks that it is a power of two. */
    static final class Alignment implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, Long.MIN_VALUE, "a power of two from 1 to " + (1L << 62));
        }
    }

    /** Any whole number. */
    static final class Seed implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, Long.MIN_VALUE, "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
        }
    }

    /** A time in seconds; {@link PlanningOptions} checks its range. */
    static final class Seconds implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            try {
                return Double.valueOf(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException(
                        "expected more than 0 and at most 1000000 seconds, got '" + text + "'");
            }
        }
    }
}
