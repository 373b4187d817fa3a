package io.devicearena.weights.internal.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;

/**
 * JSON of files that are not trusted, from front to back: in UTF-8, no key twice, few levels. A fault names the byte of
 * the file where the token begins, in the words of the file's format instead of the parser's.
 *
 * <p>Threads: one thread at a time.
 */
final class StrictJson {
    /** An object of tensors, a tensor, its shape: three levels. What else a file adds may have a few more. */
    private static final int DEEPEST = 16;

    private static final int MOST_SHOWN = 40;
    private static final int DECODED_AT_ONCE = 1 << 13;

    /** Depth and names are checked here, since the parser's own limits speak of the parser. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(2 * DEEPEST)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final MappedFile file;
    private final long start;
    private final byte[] text;
    private final JsonParser json;
    /** The token to be read, null at the end. */
    private @Nullable JsonToken token;

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

    private StrictJson(MappedFile file, long start, byte[] text, JsonParser json) {
        this.file = file;
        this.start = start;
        this.text = text;
        this.json = json;
    }

    /** Reads one object and nothing else; {@code start} is where the text begins in the file. */
    static void read(MappedFile file, long start, byte[] text, Function<StrictJson, MemberReader> root) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            StrictJson json = new StrictJson(file, start, text, parser);
            json.begin();
            json.object("the header", root.apply(json));
            if (json.token != null) {
                throw json.fault("expected nothing but spaces behind the object, got " + json.shown());
            }
        } catch (IOException e) { // closing a parser of an array reads and writes nothing
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses other encodings, which the parser would recognise and read. */
    private void begin() {
        at = behindSeparators(0);
        if (at == text.length || text[at] != '{') {
            throw fault("the header", "an object");
        }
        int brace = at;
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(text);
        CharBuffer chars = CharBuffer.allocate(DECODED_AT_ONCE);
        CoderResult result = CoderResult.OVERFLOW;
        while (result.isOverflow()) {
            result = decoder.decode(bytes, chars.clear(), true);
        }
        at = result.isError() ? bytes.position() : brace + 1;
        if (result.isError() || (at < text.length && text[at] == 0)) {
            throw fault("expected UTF-8, got " + shown());
        }
        advance();
    }

    /** Goes to the next token. */
    private void advance() {
        try {
            JsonToken next = json.nextToken();
            if (next == JsonToken.VALUE_STRING) {
                json.finishToken();
            }
            token = next;
            at = next == null ? text.length : (int) json.currentTokenLocation().getByteOffset();
        } catch (JsonProcessingException e) {
            throw unreadable(e);
        } catch (IOException e) { // the parser reads an array
            throw new UncheckedIOException(e);
        }
    }

    private WeightFileException unreadable(JsonProcessingException e) {
        boolean behind = depth == 0 && token == JsonToken.END_OBJECT;
        int place = e.getLocation() == null ? 0 : (int) e.getLocation().getByteOffset();
        at = token == null ? behindSeparators(0) : behindSeparators(tokenEnd(at));
        if (at < text.length && text[at] == '"') {
            int end = tokenEnd(at);
            if (end == text.length || place < end) {
                return fault(
                        e instanceof JsonEOFException
                                ? "expected a text that ends, got the end of the header"
                                : "expected a text with escapes such as \\n or \\u000a, got "
                                        + shown(Math.min(place, text.length)) + " in it");
            }
            at = behindSeparators(end); // a key was read together with what follows it
        }
        return fault("expected " + (behind ? "nothing but spaces behind the object" : "JSON") + ", got " + shown());
    }

    /** {@return where the token that begins at a place ends} */
    private int tokenEnd(int begin) {
        int end = begin + 1;
        if (text[begin] == '"') {
            while (end < text.length && text[end] != '"') {
                end += text[end] == '\\' ? 2 : 1;
            }
            return Math.min(end + 1, text.length);
        }
        while (isWord(text[begin]) && end < text.length && isWord(text[end])) {
            end++;
        }
        return end;
    }

    private int behindSeparators(int begin) {
        int place = begin;
        while (place < text.length && " \t\r\n,:".indexOf(text[place]) >= 0) {
            place++;
        }
        return place;
    }

    private static boolean isWord(byte unit) {
        return Character.isLetterOrDigit(unit) || unit == '-' || unit == '+' || unit == '.';
    }

    /** Makes the exception for a fault in the token to be read. */
    private WeightFileException fault(String problem) {
        return file.fault(start + at, problem);
    }

    private WeightFileException fault(String subject, String expected) {
        return fault(TensorSizes.escaped(subject) + ": expected " + expected + ", got " + shown());
    }

    private String shown() {
        return shown(at);
    }

    /** What stands at a place, for a message. */
    private String shown(int place) {
        if (place == text.length) {
            return "the end of the header";
        }
        if (text[place] == '"') {
            return "a text";
        }
        if (text[place] <= ' ') {
            return "the byte 0x" + HexFormat.of().toHexDigits(text[place]);
        }
        int length = Math.min(MOST_SHOWN, tokenEnd(place) - place);
        return "'" + new String(text, place, length, StandardCharsets.ISO_8859_1) + "'";
    }

    /** Reads an object; the reader gets each key and must read its value. */
    void object(String subject, MemberReader members) {
        open(JsonToken.START_OBJECT, subject, "an object");
        Set<String> keys = new HashSet<>();
        while (token != JsonToken.END_OBJECT) {
            int begin = at;
            String key = string();
            if (key.length() > TensorSizes.LONGEST_NAME) {
                throw fault(
                        "expected a key of at most " + TensorSizes.LONGEST_NAME + " characters, got " + key.length());
            }
            if (!keys.add(key)) {
                throw fault("key '" + TensorSizes.escaped(key) + "': expected each key once, got it twice");
            }
            advance();
            members.read(key, start + begin);
        }
        close();
    }

    private void open(JsonToken bracket, String subject, String expected) {
        if (token != bracket) {
            throw fault(subject, expected);
        }
        if (depth++ == DEEPEST) {
            throw fault(TensorSizes.escaped(subject) + ": expected at most " + DEEPEST
                    + " objects and lists inside one another, got more");
        }
        advance();
    }

    private void close() {
        depth--;
        advance();
    }

    /** Reads a list of whole numbers of 0 or more. */
    List<Long> longs(String subject) {
        open(JsonToken.START_ARRAY, subject, "a list");
        List<Long> longs = new ArrayList<>();
        while (token != JsonToken.END_ARRAY) {
            if (longs.size() == TensorSizes.MOST_DIMENSIONS) {
                throw fault(subject + ": expected at most " + TensorSizes.MOST_DIMENSIONS + " numbers, got more");
            }
            longs.add(whole(subject));
            advance();
        }
        close();
        return longs;
    }

    private long whole(String subject) {
        try {
            if (token == JsonToken.VALUE_NUMBER_INT
                    && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                    && json.getLongValue() >= 0) {
                return json.getLongValue();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the parser reads an array
        }
        throw fault(subject, "whole numbers from 0 to " + Long.MAX_VALUE);
    }

    /** Reads a text. */
    String text(String subject) {
        if (token != JsonToken.VALUE_STRING) {
            throw fault(subject, "a text");
        }
        String read = string();
        advance();
        return read;
    }

    /** The text of this token, which may have escapes of half a character. */
    private String string() {
        try {
            String read = json.getText();
            int lone = read.codePoints()
                    .filter(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                    .findFirst()
                    .orElse(0);
            if (lone != 0) {
                throw fault("expected a pair of escapes for a character, got a surrogate alone: '\\u"
                        + HexFormat.of().toHexDigits((char) lone) + "'");
            }
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the parser reads an array
        }
    }

    /** Steps over null; false if something else stands here. */
    boolean takeNull() {
        boolean found = token == JsonToken.VALUE_NULL;
        if (found) {
            advance();
        }
        return found;
    }

    /** Steps over a value of any kind. */
    void skip(String subject) {
        if (token == JsonToken.START_OBJECT) {
            object(subject, (key, place) -> skip(key));
        } else if (token == JsonToken.START_ARRAY) {
            open(JsonToken.START_ARRAY, subject, "a list");
            while (token != JsonToken.END_ARRAY) {
                skip(subject);
            }
            close();
        } else {
            advance();
        }
    }
}
