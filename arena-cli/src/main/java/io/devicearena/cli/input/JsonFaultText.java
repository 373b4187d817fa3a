package io.devicearena.cli.input;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.util.regex.Pattern;

/**
 * What is wrong with JSON, in terms of the file. The parser's own messages name its settings, which no user can change.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class JsonFaultText {
    private static final Pattern SETTINGS = Pattern.compile(
            " \\(start marker at .*" // it names no file
                    + "|: enable `[^`]*` to allow|:? ?\\(not recognized as one since [^)]*\\)|, from `[^`]*`");

    private JsonFaultText() {}

    static String of(JacksonException fault, StreamReadConstraints limits) {
        String message = fault.getOriginalMessage();
        return fault instanceof StreamConstraintsException
                ? limit(message, limits)
                : SETTINGS.matcher(message).replaceAll("");
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
        if (message.startsWith("String value length")) {
            return "expected a text of at most " + limits.getMaxStringLength() + " characters, got more; shorten it";
        }
        return SETTINGS.matcher(message).replaceAll("");
    }
}
