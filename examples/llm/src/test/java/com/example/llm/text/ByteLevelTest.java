package com.example.llm.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.llm.GgufWriter;
import com.example.llm.ModelException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteLevelTest {
    private static final String PRINTABLE = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
            + "abcdefghijklmnopqrstuvwxyz{|}~¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿"
            + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";

    @TempDir
    Path folder;

    /** What a byte is written as: itself where it is printable, else the next of the characters from U+0100 on. */
    private static String character(int value) {
        String own = String.valueOf((char) value);
        if (PRINTABLE.contains(own)) {
            return own;
        }
        int others = 0;
        for (char c = 0; c < value; c++) {
            others += PRINTABLE.indexOf(c) < 0 ? 1 : 0;
        }
        return String.valueOf((char) (256 + others));
    }

    /** All bytes but some, then the results of the pairs, then control tokens, then user-defined ones. */
    private GgufWriter file(String pre, String without, List<String> pairs, List<String> control, List<String> userDefined) {
        List<String> tokens = new ArrayList<>();
        for (int value = 0; value < 256; value++) {
            tokens.add(without.indexOf((char) value) < 0 ? character(value) : "<none " + value + ">");
        }
        pairs.forEach(pair -> tokens.add(pair.replace(" ", "")));
        List<Integer> types = new ArrayList<>(Collections.nCopies(tokens.size(), 1));
        tokens.addAll(control);
        types.addAll(Collections.nCopies(control.size(), 3));
        tokens.addAll(userDefined);
        types.addAll(Collections.nCopies(userDefined.size(), 4));
        return new GgufWriter()
                .with("tokenizer.ggml.model", "gpt2")
                .with("tokenizer.ggml.pre", pre)
                .withTexts("tokenizer.ggml.tokens", tokens)
                .withIntegers("tokenizer.ggml.token_type", types)
                .withTexts("tokenizer.ggml.merges", pairs);
    }

    private Vocabulary read(GgufWriter file) throws IOException {
        try (WeightFile open = WeightFile.open(file.write(folder.resolve("vocabulary.gguf")))) {
            return Vocabulary.of(open);
        }
    }

    private Vocabulary vocabulary(String pre, String... pairs) throws IOException {
        return read(file(pre, "\u0004", List.of(pairs), List.of(), List.of()));
    }

    private static void requireWords(String pre, String text, String... words) {
        assertEquals(List.of(words), PreTokenizer.named(pre).words(text));
    }

    @Test
    void textsAreCutAsTheModelWasTrained() {
        requireWords("gpt-2", "I've  2 CAN'T", "I", "'ve", " ", " 2", " CAN", "'", "T");
        requireWords("smollm", "a 12²\n\nb", "a", " ", "1", "2", "²", "\n", "\n", "b");
        requireWords("llama-bpe", "I'VE (x) 12345\n\n  b", "I", "'VE", " (", "x", ")", " ", "123", "45", "\n\n", " ", " b");
        requireWords("qwen2", "_x 12\r\n !", "_x", " ", "1", "2", "\r\n", " !");
        requireWords("qwen35", "n\u0303o\u0301", "n\u0303o\u0301");
        requireWords("qwen2", "n\u0303o\u0301", "n", "\u0303o", "\u0301");
        requireWords("seed-coder", "!\n", "!", "\n");
        requireWords("bailingmoe", "\n\n\n", "\n\n\n");
        requireWords("gpt-2", "\u00a0\u3000a", "\u00a0", "\u3000", "a");
    }

    /** The fixture has ids of another implementation, for a vocabulary that it describes. */
    @Test
    void textsHaveTheTokensOfAnotherImplementation() throws IOException {
        JsonNode fixture;
        try (InputStream in = ByteLevelTest.class.getResourceAsStream("byte-level.json")) {
            fixture = new ObjectMapper().readTree(in);
        }
        TreeSet<Integer> bytes = new TreeSet<>();
        for (byte value : fixture.path("characters").asText().getBytes(StandardCharsets.UTF_8)) {
            bytes.add(value & 255);
        }
        List<String> pairs = new ArrayList<>();
        bytes.forEach(left -> bytes.forEach(right -> pairs.add(character(left) + " " + character(right))));
        assertEquals(24, fixture.path("texts").size());
        for (String pre : List.of("gpt-2", "smollm", "llama-bpe", "qwen2")) {
            Tokenizer tokenizer = new Tokenizer(read(file(pre, "", pairs, List.of("<s>", "</s>"), List.of("<u>"))
                    .with("tokenizer.ggml.add_bos_token", false)));
            for (JsonNode one : fixture.path("texts")) {
                int[] expected = one.path(pre).valueStream().mapToInt(JsonNode::asInt).toArray();
                assertArrayEquals(expected, tokenizer.encode(one.path("text").asText()), () -> pre + ": " + one);
            }
        }
    }

    @Test
    void theFirstPairOfTheListMergesFirst() throws IOException {
        Tokenizer tokenizer = new Tokenizer(vocabulary("gpt-2", "b c", "a b", "a bc"));
        assertArrayEquals(new int[] {258}, tokenizer.encode("abc"));
        assertArrayEquals(new int[] {257, ' ', 'b'}, tokenizer.encode("ab b"));
    }

    @Test
    void aWordThatIsATokenIsNotMergedWhereTheModelSaysSo() throws IOException {
        String[] pairs = {"b c", "a b", "ab c"}; // abc has no way: b merges with c first
        assertArrayEquals(new int[] {'a', 256}, new Tokenizer(vocabulary("qwen2", pairs)).encode("abc"));
        Vocabulary llama = read(file("llama-bpe", "", List.of(pairs), List.of("<s>"), List.of())
                .with("tokenizer.ggml.bos_token_id", 259));
        assertArrayEquals(new int[] {259, 258}, new Tokenizer(llama).encode("abc"));
    }

    @Test
    void aByteWithoutATokenIsLeftOut() throws IOException {
        assertArrayEquals(new int[] {'a', 5}, new Tokenizer(vocabulary("gpt-2")).encode("a\u0004\u0005"));
    }

    @Test
    void controlTokensAreNotReadFromText_userDefinedOnesAre() throws IOException {
        Vocabulary vocabulary = read(file("smollm", "", List.of(), List.of("<|x|>"), List.of("  ")));
        assertArrayEquals(
                new int[] {'a', 257, '<', '|', 'x', '|', '>'}, new Tokenizer(vocabulary).encode("a  <|x|>"));
    }

    @Test
    void tokensBackToTextAreTheText() throws IOException {
        Vocabulary vocabulary = read(file("smollm", "", List.of("Ġ a", "Ã ©"), List.of("<|im_end|>"), List.of("  ")));
        TextStream stream = new TextStream(vocabulary);
        StringBuilder back = new StringBuilder();
        for (int token : new Tokenizer(vocabulary).encode(" aé  日\u0000\u00ad\n")) {
            back.append(stream.add(token));
        }
        assertEquals(" aé  日\u0000\u00ad\n", back.append(stream.add(258)).append(stream.end()).toString());
        assertTrue(vocabulary.isEnd(258));
    }

    @ParameterizedTest
    @CsvSource({"'a', 'a'", "'a ', 'a '", "'a 日', 'a 日'"})
    void aPairThatIsNoneIsRefused(String pair, String shown) {
        ModelException e = assertThrows(ModelException.class, () -> vocabulary("gpt-2", "a b", pair));
        assertEquals(
                "tokenizer.ggml.merges, 1: expected two parts in characters of bytes, got '" + shown + "'", e.getMessage());
    }

    @Test
    void anUnknownPreTokenizerIsRefusedByName() {
        for (String pre : List.of("tekken", "none")) {
            ModelException e = assertThrows(ModelException.class, () -> vocabulary(pre));
            assertTrue(e.getMessage().startsWith("tokenizer.ggml.pre: expected one of [a.x-4.0, bailingmoe, "), e.getMessage());
            assertTrue(e.getMessage().endsWith(", trillion], got '" + pre + "'"), e.getMessage());
        }
    }
}
