package io.devicearena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the values of options to numbers. A value that is no number is rejected with the valid range. */
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
