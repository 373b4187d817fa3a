package io.devicearena.weights.internal.safetensors;

import io.devicearena.weights.file.MappedFile;
import io.devicearena.weights.file.TensorSizes;
import io.devicearena.weights.tensor.WeightFileException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * JSON of files that are not trusted, from front to back: in UTF-8, no key twice, few levels. A fault names the byte of
 * the file where the token begins.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: RFC 8259; without the choices that it leaves to readers, as the library that defines safetensors reads it.
 */
final class StrictJson {
    /** An object of tensors, a tensor, its shape: three levels. What else a file adds may have a few more. */
    private static final int DEEPEST = 16;

    private static final int MOST_SHOWN = 40;
    private static final int HEX_DIGITS = 4;

    private final MappedFile file;
    private final long start;
    private final byte[] text;
    private int at;
    private int depth;

    /** Reads the value of a member; its key is known. */
    @FunctionalInterface
    interface MemberReader {
        /**
         * Reads it.
         *
         * @param key the key
         * @param place the byte of the file where the key begins
         */
        void read(String key, long place);
    }

    private StrictJson(MappedFile file, long start, byte[] text) {
        this.file = file;
        this.start = start;
        this.text = text;
    }

    /** Reads one object and nothing else; {@code start} is where the text begins in the file. */
    static void read(MappedFile file, long start, byte[] text, Function<StrictJson, MemberReader> root) {
        StrictJson json = new StrictJson(file, start, text);
        json.object("the header", root.apply(json));
        if (json.next() >= 0) {
            throw json.fault("expected nothing but spaces behind the object, got " + json.token());
        }
    }

    /** Makes the exception for a fault in the token that comes next. */
    private WeightFileException fault(String problem) {
        return file.fault(start + at, problem);
    }

    private WeightFileException fault(String subject, String expected) {
        return fault(TensorSizes.escaped(subject) + ": expected " + expected + ", got " + token());
    }

    /** Steps over white space; returns the next byte, or -1 at the end. */
    private int next() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
        return at < text.length ? text[at] & 0xff : -1;
    }

    private boolean take(char wanted) {
        boolean found = next() == wanted;
        at += found ? 1 : 0;
        return found;
    }

    /** What stands here, for a message. */
    private String token() {
        int unit = next();
        if (unit < 0) {
            return "the end of the header";
        }
        if (unit == '"') {
            return "a text";
        }
        int end = at;
        while (end < text.length && end - at < MOST_SHOWN && isWord(text[end])) {
            end++;
        }
        if (end > at || (unit > ' ' && unit <= '~')) {
            return "'" + new String(text, at, Math.max(1, end - at), StandardCharsets.ISO_8859_1) + "'";
        }
        return "the byte 0x" + HexFormat.of().toHexDigits((byte) unit);
    }

    private static boolean isWord(byte unit) {
        return (unit >= '0' && unit <= '9')
                || (unit >= 'a' && unit <= 'z')
                || (unit >= 'A' && unit <= 'Z')
                || unit == '-'
                || unit == '+'
                || unit == '.';
    }

    /** Reads an object; the reader gets each key and must read its value. */
    void object(String subject, MemberReader members) {
        open('{', subject, "an object");
        Set<String> keys = new HashSet<>();
        for (boolean more = !take('}'); more; more = more("'}'")) {
            if (next() != '"') {
                throw fault("expected a key in quotes, got " + token());
            }
            int begin = at;
            String key = text("key");
            if (!keys.add(key)) {
                at = begin;
                throw fault("key '" + TensorSizes.escaped(key) + "': expected each key once, got it twice");
            }
            if (!take(':')) {
                throw fault(key, "':' behind the key");
            }
            members.read(key, start + begin);
        }
        depth--;
    }

    private void open(char bracket, String subject, String expected) {
        if (next() != bracket) {
            throw fault(subject, expected);
        }
        if (depth++ == DEEPEST) {
            throw fault(TensorSizes.escaped(subject) + ": expected at most " + DEEPEST
                    + " objects and lists inside one another, got more");
        }
        at++;
    }

    /** Steps over what follows an element; false behind the last one. */
    private boolean more(String close) {
        if (take(',')) {
            return true;
        }
        if (!take(close.charAt(1))) {
            throw fault("expected ',' or " + close + ", got " + token());
        }
        return false;
    }

    /** Reads a list of whole numbers of 0 or more. */
    List<Long> longs(String subject) {
        open('[', subject, "a list");
        List<Long> longs = new ArrayList<>();
        for (boolean more = !take(']'); more; more = more("']'")) {
            next();
            if (longs.size() == TensorSizes.MOST_DIMENSIONS) {
                throw fault(subject + ": expected at most " + TensorSizes.MOST_DIMENSIONS + " numbers, got more");
            }
            longs.add(whole(subject));
        }
        depth--;
        return longs;
    }

    private long whole(String subject) {
        int begin = at;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        int end = at;
        at = begin; // for faults
        boolean isWhole =
                end > begin && (text[begin] != '0' || end == begin + 1) && (end == text.length || !isWord(text[end]));
        try {
            if (isWhole) {
                long number = Long.parseLong(new String(text, begin, end - begin, StandardCharsets.ISO_8859_1));
                at = end;
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below: more than a long counts
        }
        throw fault(subject, "whole numbers from 0 to " + Long.MAX_VALUE);
    }

    /** Reads a text. */
    String text(String subject) {
        if (next() != '"') {
            throw fault(subject, "a text");
        }
        int quote = at;
        int end = quote + 1;
        boolean plain = true;
        while (end < text.length && text[end] != '"') {
            plain &= text[end] != '\\' && text[end] >= ' ';
            end += text[end] == '\\' ? 2 : 1;
        }
        if (end >= text.length) {
            throw fault(TensorSizes.escaped(subject) + ": expected a text that ends, got the end of the header");
        }
        if (end - quote - 1 > TensorSizes.LONGEST_NAME && subject.equals("key")) {
            throw fault("expected a key of at most " + TensorSizes.LONGEST_NAME + " bytes, got " + (end - quote - 1));
        }
        String read = plain
                ? new String(text, quote + 1, end - quote - 1, StandardCharsets.ISO_8859_1)
                : decoded(quote + 1, end);
        at = end + 1;
        return read;
    }

    /** A text with escapes or other alphabets. */
    private String decoded(int begin, int end) {
        StringBuilder read = new StringBuilder();
        int raw = begin;
        at = begin;
        while (at < end) {
            if (text[at] == '\\') {
                decode(raw, at, read);
                escape(read);
                raw = at;
            } else if (text[at] >= 0 && text[at] < ' ') {
                throw fault("expected control characters as escapes such as \\n, got " + token());
            } else {
                at++;
            }
        }
        decode(raw, end, read);
        return read.toString();
    }

    private void decode(int begin, int end, StringBuilder to) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(text, begin, end - begin);
        CharBuffer chars = CharBuffer.allocate(end - begin);
        CoderResult result = decoder.decode(bytes, chars, true);
        if (result.isError()) {
            at = bytes.position();
            throw fault("expected UTF-8, got " + token());
        }
        to.append(chars.flip());
    }

    /** Reads an escape; a character above U+FFFF is a pair of them. */
    private void escape(StringBuilder to) {
        int found = "\"\\/bfnrt".indexOf(text[at + 1]);
        if (found >= 0) {
            to.append("\"\\/\b\f\n\r\t".charAt(found));
            at += 2;
            return;
        }
        char first = unit(at);
        if (!Character.isSurrogate(first)) {
            to.append(first);
            at += 2 + HEX_DIGITS;
            return;
        }
        boolean isPair = Character.isHighSurrogate(first)
                && at + 2 + HEX_DIGITS + 1 < text.length
                && text[at + 2 + HEX_DIGITS] == '\\'
                && text[at + 2 + HEX_DIGITS + 1] == 'u';
        char second = isPair ? unit(at + 2 + HEX_DIGITS) : 0;
        if (!Character.isLowSurrogate(second)) {
            throw fault("expected a pair of escapes for a character, got a surrogate alone: '\\u"
                    + HexFormat.of().toHexDigits(first) + "'");
        }
        to.append(first).append(second);
        at += 2 * (2 + HEX_DIGITS);
    }

    /** The unit of an escape. */
    private char unit(int place) {
        int value = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            int digit = place + 2 + i < text.length ? Character.digit(text[place + 2 + i], 16) : -1;
            value = digit < 0 || text[place + 1] != 'u' ? -1 : 16 * value + digit;
            if (value < 0) {
                throw fault("expected an escape such as \\n or \\u000a, got another behind '\\'");
            }
        }
        return (char) value;
    }

    /** Steps over null; false if something else stands here. */
    boolean takeNull() {
        boolean found = next() == 'n' && token().equals("'null'");
        at += found ? "null".length() : 0;
        return found;
    }

    /** Steps over a value of any kind. */
    void skip(String subject) {
        switch (next()) {
            case '{' -> object(subject, (key, place) -> skip(key));
            case '[' -> {
                open('[', subject, "a list");
                for (boolean more = !take(']'); more; more = more("']'")) {
                    skip(subject);
                }
                depth--;
            }
            case '"' -> text(subject);
            default -> {
                int end = at;
                while (end < text.length && isWord(text[end])) {
                    end++;
                }
                String word = new String(text, at, end - at, StandardCharsets.ISO_8859_1);
                if (!word.matches("null|true|false|-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?")) {
                    throw fault(subject, "a value");
                }
                at = end;
            }
        }
    }
}
