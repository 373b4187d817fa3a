package io.devicearena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the numbers of options; what is none is refused with the range. */
final class OptionConverters {
    private OptionConverters() {}

    private static long whole(String text, long least, String expected) {
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below: no digits, or too many
        }
        throw new TypeConversionException("expected " + expected + ", got '" + text + "'");
    }

    /** A count of bytes. */
    static final class Bytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, 0, "a whole number of bytes from 0 to " + Long.MAX_VALUE);
        }
    }

    /** A number to round up to; whether it is a power of two is the planner's to tell. */
    static final class Alignment implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, Long.MIN_VALUE, "a power of two from 1 to " + (1L << 62));
        }
    }

    /** Any number. */
    static final class Seed implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, Long.MIN_VALUE, "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
        }
    }

    /** A time; its range is the command's to tell. */
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
