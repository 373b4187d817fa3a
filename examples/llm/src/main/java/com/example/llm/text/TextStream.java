package com.example.llm.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Tokens back to text, as they come. A character whose bytes are in several tokens comes with the last of them.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class TextStream {
    private final Vocabulary vocabulary;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private ByteBuffer rest = ByteBuffer.allocate(0); // of a character that is not complete

    /**
     * Begins a text.
     *
     * @param vocabulary the tokens of the model
     */
    public TextStream(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /**
     * Takes the next token.
     *
     * @param token a token of the vocabulary
     * @return the characters that are complete now; none for control tokens
     */
    public String add(int token) {
        byte[] bytes = bytes(token).getBytes(StandardCharsets.ISO_8859_1);
        return decode(bytes, false);
    }

    /** {@return what is left at the end: a replacement character for bytes that are no character} */
    public String end() {
        return decode(new byte[0], true);
    }

    private String bytes(int token) {
        String text = vocabulary.text(token);
        return switch (vocabulary.kind(token)) {
            case CONTROL, UNKNOWN, UNUSED -> "";
            case USER_DEFINED -> text;
            case BYTE -> String.valueOf((char) Integer.parseInt(text, 3, 5, 16));
            case NORMAL -> vocabulary.model().shown(text);
        };
    }

    private String decode(byte[] bytes, boolean last) {
        ByteBuffer in = ByteBuffer.allocate(rest.remaining() + bytes.length).put(rest).put(bytes).flip();
        CharBuffer out = CharBuffer.allocate(in.remaining() + 1);
        decoder.decode(in, out, last);
        if (last) {
            decoder.flush(out);
            decoder.reset();
        }
        rest = in.slice();
        return out.flip().toString();
    }
}
