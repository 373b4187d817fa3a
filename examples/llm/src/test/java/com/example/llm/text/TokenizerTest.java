package com.example.llm.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.llm.GgufWriter;
import com.example.llm.ModelException;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerTest {
    private static final int UNKNOWN = 0, BEGIN = 1, END = 2, BYTES = 3, FIRST = BYTES + 256;

    @TempDir
    Path folder;

    /** Bytes, then texts with their scores, then user-defined texts. */
    private Vocabulary vocabulary(boolean spaceFirst, List<String> texts, List<Float> scores, String... userDefined)
            throws IOException {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        List<Float> all = new ArrayList<>(List.of(0f, 0f, 0f));
        List<Integer> types = new ArrayList<>(List.of(2, 3, 3));
        for (int i = 0; i < 256; i++) {
            tokens.add("<0x%02X>".formatted(i));
            all.add(0f);
            types.add(6);
        }
        tokens.addAll(texts);
        all.addAll(scores);
        texts.forEach(text -> types.add(1));
        for (String text : userDefined) {
            tokens.add(text);
            all.add(0f);
            types.add(4);
        }
        Path file = new GgufWriter()
                .with("tokenizer.ggml.model", "llama")
                .withTexts("tokenizer.ggml.tokens", tokens)
                .withFloats("tokenizer.ggml.scores", all)
                .withIntegers("tokenizer.ggml.token_type", types)
                .with("tokenizer.ggml.add_space_prefix", spaceFirst)
                .write(folder.resolve("vocabulary.gguf"));
        try (WeightFile open = WeightFile.open(file)) {
            return Vocabulary.of(open);
        }
    }

    private static int[] tokens(int... tokens) {
        int[] all = new int[tokens.length + 1];
        all[0] = BEGIN;
        System.arraycopy(tokens, 0, all, 1, tokens.length);
        return all;
    }

    @Test
    void thePairWithTheBestScoreMergesFirst() throws IOException {
        Vocabulary vocabulary =
                vocabulary(false, List.of("a", "b", "c", "ab", "bc", "abc"), List.of(-9f, -9f, -9f, -2f, -1f, -3f));
        assertArrayEquals(tokens(FIRST + 5), new Tokenizer(vocabulary).encode("abc")); // a + bc
        assertArrayEquals(tokens(FIRST + 3, FIRST), new Tokenizer(vocabulary).encode("aba"));
    }

    @Test
    void theLeftmostOfEqualPairsMergesFirst() throws IOException {
        Vocabulary vocabulary = vocabulary(false, List.of("a", "aa"), List.of(-9f, -1f));
        assertArrayEquals(tokens(FIRST + 1, FIRST), new Tokenizer(vocabulary).encode("aaa"));
    }

    @Test
    void charactersWithoutATokenBecomeBytes() throws IOException {
        Vocabulary vocabulary = vocabulary(false, List.of("a"), List.of(-1f));
        assertArrayEquals(
                tokens(FIRST, BYTES + 0xE2, BYTES + 0x82, BYTES + 0xAC), new Tokenizer(vocabulary).encode("a€"));
    }

    @Test
    void bytesThatAreNoTextBecomeTokensOfBytes() throws IOException {
        Vocabulary vocabulary = vocabulary(false, List.of("a"), List.of(-1f));
        byte[] broken = {(byte) 0xFF, 'a', (byte) 0xE4};
        // a first byte takes as many bytes as it asks for, whatever they are
        assertArrayEquals(
                tokens(BYTES + 0xFF, BYTES + 'a', BYTES + 0xE4), new Tokenizer(vocabulary).encode(broken));
    }

    @Test
    void textIsCutAtUserDefinedTokensTheLongestFirst() throws IOException {
        Vocabulary vocabulary = vocabulary(false, List.of("a", "\n"), List.of(-1f, -1f), "\n\n", "\n\n\n");
        assertArrayEquals(
                tokens(FIRST, FIRST + 3, FIRST + 1, FIRST), new Tokenizer(vocabulary).encode("a\n\n\n\na"));
    }

    @Test
    void aSpaceComesFirstWhereTheModelWantsIt() throws IOException {
        Vocabulary vocabulary = vocabulary(true, List.of("\u2581", "a", "\u2581a"), List.of(-9f, -9f, -1f));
        assertArrayEquals(tokens(FIRST + 2, FIRST + 2), new Tokenizer(vocabulary).encode("a a"));
    }

    @Test
    void controlTokensAreNotReadFromText() throws IOException {
        Vocabulary vocabulary = vocabulary(false, List.of("a"), List.of(-1f));
        assertEquals(5, new Tokenizer(vocabulary).encode("</s>").length);
    }

    @Test
    void aCharacterComesWithItsLastByte() throws IOException {
        Vocabulary vocabulary = vocabulary(false, List.of("a\u2581"), List.of(-1f));
        TextStream stream = new TextStream(vocabulary);
        assertEquals("a ", stream.add(FIRST));
        assertEquals("", stream.add(BYTES + 0xF0));
        assertEquals("", stream.add(BYTES + 0x9F));
        assertEquals("", stream.add(BYTES + 0x98));
        assertEquals("😀", stream.add(BYTES + 0x80));
        assertEquals("", stream.add(END));
        assertEquals("", stream.add(UNKNOWN));
        assertEquals("", stream.add(BYTES + 0xE2));
        assertEquals("\uFFFDa ", stream.add(FIRST));
        assertEquals("", stream.add(BYTES + 0xE2));
        assertEquals("\uFFFD", stream.end());
        assertTrue(vocabulary.isEnd(END));
    }

    @Test
    void anotherKindOfTokenizerIsRefused() throws IOException {
        Path file = new GgufWriter().with("tokenizer.ggml.model", "bert").write(folder.resolve("other.gguf"));
        try (WeightFile open = WeightFile.open(file)) {
            ModelException e = assertThrows(ModelException.class, () -> Vocabulary.of(open));
            assertEquals(
                    "tokenizer: expected SentencePiece ('llama') or byte-level BPE ('gpt2'), got 'bert'", e.getMessage());
        }
    }
}
