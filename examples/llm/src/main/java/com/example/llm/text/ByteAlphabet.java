package com.example.llm.text;

import java.util.Arrays;
import java.util.Optional;

/**
 * The characters that byte-level vocabularies write bytes as: printable ones of Latin-1 are themselves, each other byte
 * is the next character from U+0100 on. So a space is U+0120.
 *
 * <p><b>Source:</b> Radford et al., Language Models are Unsupervised Multitask Learners, 2019, and its encoder.
 */
final class ByteAlphabet {
    private static final int NONE = -1;
    private static final int[] BYTES = bytes();

    private ByteAlphabet() {}

    private static int[] bytes() {
        int[] bytes = new int[512];
        Arrays.fill(bytes, NONE);
        int next = 256;
        for (int value = 0; value < 256; value++) {
            boolean isPrintable = value > ' ' && value < 0x7F || value > 0xA0 && value != 0xAD;
            bytes[isPrintable ? value : next++] = value;
        }
        return bytes;
    }

    /** {@return what a text of the alphabet stands for, one char for each byte; empty for another text} */
    static Optional<String> decode(String text) {
        StringBuilder bytes = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= BYTES.length || BYTES[c] == NONE) {
                return Optional.empty();
            }
            bytes.append((char) BYTES[c]);
        }
        return Optional.of(bytes.toString());
    }
}
