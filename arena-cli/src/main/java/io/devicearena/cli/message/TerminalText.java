package io.devicearena.cli.message;

import java.util.Locale;
import java.util.regex.Pattern;

/** Words as a user reads them. Of text from outside, what is too long is cut, and what steers a terminal escaped. */
public final class TerminalText {
    private static final int LONGEST_VALUE = 200;
    private static final int LONGEST_MESSAGE = 4000;
    private static final int MESSAGE_END = 400; // which has the way out

    private static final Pattern LINE_END = Pattern.compile("\\s*\\R\\s*");

    /** Controls, and the marks that turn the direction of what follows. */
    private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]");

    /** A value that a message quotes; an apostrophe within a word opens none. */
    private static final Pattern LONG_VALUE =
            Pattern.compile("(?<![\\p{L}\\p{N}])'([^']{" + LONGEST_VALUE + "})[^']++'");

    private TerminalText() {}

    /** A name in one line. */
    public static String name(String name) {
        return escaped(
                name.codePointCount(0, name.length()) <= LONGEST_VALUE
                        ? name
                        : name.substring(0, name.offsetByCodePoints(0, LONGEST_VALUE)) + "…");
    }

    /** A constant, for example {@code in-place}. */
    public static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A message in one line, with its quoted values cut. */
    static String message(String message) {
        String line = LINE_END.matcher(message.strip()).replaceAll(" | ");
        String brief = LONG_VALUE.matcher(line).replaceAll("'$1…'");
        return escaped(
                brief.length() <= LONGEST_MESSAGE
                        ? brief
                        : brief.substring(0, LONGEST_MESSAGE - MESSAGE_END) + " … "
                                + brief.substring(brief.length() - MESSAGE_END));
    }

    private static String escaped(String text) {
        return STEERING.matcher(text)
                .replaceAll(found -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
    }
}
