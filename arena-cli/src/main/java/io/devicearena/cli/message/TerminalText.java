package io.devicearena.cli.message;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes text from files and providers safe to print, on a terminal and on a page: cuts what is too long, and escapes
 * control characters.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class TerminalText {
    private static final int LONGEST_VALUE = 200;
    private static final int LONGEST_MESSAGE = 4000;
    private static final int MESSAGE_END = 400; // it has the remedy

    private static final Pattern LINE_END = Pattern.compile("\\s*\\R\\s*");

    /** Control characters, halves of characters, ends of lines, and the marks that change the direction of text. */
    private static final Pattern CONTROL =
            Pattern.compile("[\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

    /** A value in quotes; an apostrophe inside a word does not open one. */
    private static final Pattern LONG_VALUE =
            Pattern.compile("(?<![\\p{L}\\p{N}])'([^']{" + LONGEST_VALUE + "})[^']++'");

    private TerminalText() {}

    /**
     * A name in one line.
     *
     * @param name any text
     * @return at most 200 characters of it, and a mark where more follow
     */
    public static String name(String name) {
        return visible(
                name.codePointCount(0, name.length()) <= LONGEST_VALUE
                        ? name
                        : name.substring(0, name.offsetByCodePoints(0, LONGEST_VALUE)) + "…");
    }

    /**
     * The name of a constant, for example {@code in-place}.
     *
     * @param constant the constant
     * @return its name in lower case, with hyphens
     */
    public static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * A text of any length in one line.
     *
     * @param text any text
     * @return the text with its control characters escaped, and {@code |} where a line ends
     */
    public static String line(String text) {
        return visible(joined(text));
    }

    /** A message in one line; long values in quotes are cut. */
    static String message(String message) {
        String brief = LONG_VALUE.matcher(joined(message)).replaceAll("'$1…'");
        return visible(
                brief.length() <= LONGEST_MESSAGE
                        ? brief
                        : brief.substring(0, LONGEST_MESSAGE - MESSAGE_END) + " … "
                                + brief.substring(brief.length() - MESSAGE_END));
    }

    private static String joined(String text) {
        return LINE_END.matcher(text.strip()).replaceAll(" | ");
    }

    /**
     * A text without control characters and without marks that change its direction.
     *
     * @param text any text
     * @return the text, with an escape such as {@code \\u001b} for each of them
     */
    public static String visible(String text) {
        return CONTROL.matcher(text)
                .replaceAll(found -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
    }
}
