package io.devicearena.cli.input;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with JSON, in terms of the file. The parser's own messages speak of its classes and settings, and name
 * the end of a token as the place.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param place the character of the text where the wrong token begins
 * @param problem what was expected and what is there
 */
record JsonFaultText(int place, String problem) {
    private static final Pattern TOKEN =
            Pattern.compile("(?:Unrecognized|Non-standard) token '([^']+)'.*", Pattern.DOTALL);
    private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);
    private static final int MOST_SHOWN = 40;

    /** What a part of the parser's message means; the first that fits. */
    private static final String[][] EXPECTED = {
        {"double-quote to start", "a key in quotes"},
        {"colon", "':' behind the key"},
        {"separate Object", "',' or '}'"},
        {"separate Array", "',' or ']'"},
        {"close marker ']'", "',' or '}'"},
        {"close marker '}'", "',' or ']'"},
        {"numeric value", "a number without further signs"},
        {"escape", "an escape such as \\n or \\u000a"},
        {"unquoted character", "control characters as escapes such as \\n"},
        {"", "a value"},
    };

    static JsonFaultText of(JacksonException fault, JsonLocation at, String text, StreamReadConstraints limits) {
        String message = fault.getOriginalMessage();
        int end = Math.clamp(at.getCharOffset(), 0, text.length());
        Matcher token = TOKEN.matcher(message);
        Matcher twice = TWICE.matcher(message);
        if (fault instanceof StreamConstraintsException) {
            return new JsonFaultText(end, limit(message, limits));
        } else if (fault instanceof JsonEOFException) {
            return new JsonFaultText(text.length(), "expected the rest of the graph, got the end of the file");
        } else if (token.matches()) {
            return new JsonFaultText(
                    begin(text, token.group(1), end), "expected a value, got '" + shortened(token.group(1)) + "'");
        } else if (twice.matches()) {
            return new JsonFaultText(
                    begin(text, '"' + twice.group(1) + '"', end),
                    "expected each key once, got '" + shortened(twice.group(1)) + "' twice");
        }
        int known = 0;
        while (!message.contains(EXPECTED[known][0])) {
            known++;
        }
        return new JsonFaultText(end, "expected " + EXPECTED[known][1] + ", got " + character(text, end));
    }

    private static int begin(String text, String token, int end) {
        int begin = text.lastIndexOf(token, end);
        return begin < 0 ? end : begin;
    }

    private static String shortened(String token) {
        return token.length() <= MOST_SHOWN ? token : token.substring(0, MOST_SHOWN) + "\u2026";
    }

    private static String character(String text, int place) {
        if (place == text.length()) {
            return "the end of the file";
        }
        char found = text.charAt(place);
        return Character.isISOControl(found)
                ? "the character 0x" + HexFormat.of().toHexDigits((byte) found)
                : "'" + found + "'";
    }

    private static String limit(String message, StreamReadConstraints limits) {
        if (message.startsWith("Document nesting depth")) {
            return "expected at most " + limits.getMaxNestingDepth()
                    + " lists and objects inside one another, got more; write a flatter graph";
        }
        if (message.startsWith("Number value length")) {
            return "expected a number of at most " + limits.getMaxNumberLength() + " digits, got more; shorten it";
        }
        if (message.startsWith("Name length")) {
            return "expected a key of at most " + limits.getMaxNameLength() + " characters, got more; shorten it";
        }
        return "expected a text of at most " + limits.getMaxStringLength() + " characters, got more; shorten it";
    }
}
