package com.example.llm.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The vocabulary of a real model, in the file that LLM_MODEL names. */
@EnabledIfEnvironmentVariable(
        named = "LLM_MODEL",
        matches = ".+",
        disabledReason = "NO REAL MODEL IS TESTED: set LLM_MODEL to a GGUF file")
class RealVocabularyTest {
    private static Vocabulary vocabulary() {
        try (WeightFile file = WeightFile.open(Path.of(System.getenv("LLM_MODEL")))) {
            return Vocabulary.of(file);
        }
    }

    @Test
    void tokensBackToTextAreTheText() {
        Vocabulary vocabulary = vocabulary();
        String text = "Zwölf Boxkämpfer, 😀 日本語  \n\n\tconst x = {};";
        TextStream stream = new TextStream(vocabulary);
        StringBuilder back = new StringBuilder();
        for (int token : new Tokenizer(vocabulary).encode(text)) {
            back.append(stream.add(token));
        }
        assertEquals(text, back.append(stream.end()).toString());
    }

    /**
     * LLM_TOKENS names a file that tools/tokens.py wrote. How many replacement characters stand for bytes that are no
     * UTF-8 is not the same everywhere: texts with such bytes are compared where the tokenizer keeps bytes.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = "LLM_TOKENS", matches = ".+")
    void textsHaveTheTokensOfAnotherImplementation() throws IOException {
        Vocabulary vocabulary = vocabulary();
        Tokenizer tokenizer = new Tokenizer(vocabulary);
        boolean isByteLevel = vocabulary.model() instanceof ByteLevel;
        List<String> lines = Files.readAllLines(Path.of(System.getenv("LLM_TOKENS")));
        assertTrue(lines.size() >= 2000, "expected 2000 texts, got " + lines.size());
        for (String line : lines) {
            JsonNode text = new ObjectMapper().readTree(line);
            byte[] utf8 = HexFormat.of().parseHex(text.path("utf8").asText());
            if (isByteLevel && new String(utf8, StandardCharsets.UTF_8).contains("\uFFFD")) {
                continue;
            }
            int[] expected = text.path("tokens").valueStream().mapToInt(JsonNode::asInt).toArray();
            assertArrayEquals(expected, tokenizer.encode(utf8), () -> new String(utf8, StandardCharsets.UTF_8));
        }
    }

    /**
     * LLM_GOLDEN names a file of prompts and of texts, with their tokens. A prompt of a chat has control tokens. The
     * program that made the tokens left out a line end at the end of a prompt.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = "LLM_GOLDEN", matches = ".+")
    void promptsHaveTheirGoldenTokens() throws IOException {
        Tokenizer tokenizer = new Tokenizer(vocabulary());
        JsonNode golden = new ObjectMapper().readTree(Path.of(System.getenv("LLM_GOLDEN")).toFile());
        assertTrue(golden.path("cases").size() > 0);
        for (JsonNode one : golden.path("cases")) {
            if (!one.path("name").asText().equals("chat")) {
                requireTokens(tokenizer, one.path("prompt").asText().replaceFirst("\n$", ""), one.path("prompt_tokens"));
            }
        }
        golden.path("texts").forEach(text -> requireTokens(tokenizer, text.path("text").asText(), text.path("ids")));
    }

    private static void requireTokens(Tokenizer tokenizer, String text, JsonNode tokens) {
        int[] expected = tokens.valueStream().mapToInt(JsonNode::asInt).toArray();
        assertArrayEquals(expected, tokenizer.encode(text), text);
    }
}
