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

/** The vocabulary of Gemma 3, in the file that LLM_MODEL names. */
@EnabledIfEnvironmentVariable(
        named = "LLM_MODEL",
        matches = ".+",
        disabledReason = "NO REAL MODEL IS TESTED: set LLM_MODEL to gemma-3-270m-q4_k_m.gguf")
class RealVocabularyTest {
    private static Vocabulary vocabulary() {
        try (WeightFile file = WeightFile.open(Path.of(System.getenv("LLM_MODEL")))) {
            return Vocabulary.of(file);
        }
    }

    @Test
    void aSentenceHasTheTokensOfTheModel() {
        assertArrayEquals(
                new int[] {2, 818, 5279, 529, 7001, 563},
                new Tokenizer(vocabulary()).encode("The capital of France is"));
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

    /** LLM_TOKENS names a file that tools/tokens.py wrote. */
    @Test
    @EnabledIfEnvironmentVariable(named = "LLM_TOKENS", matches = ".+")
    void textsHaveTheTokensOfAnotherImplementation() throws IOException {
        Tokenizer tokenizer = new Tokenizer(vocabulary());
        List<String> lines = Files.readAllLines(Path.of(System.getenv("LLM_TOKENS")));
        assertTrue(lines.size() >= 2000, "expected 2000 texts, got " + lines.size());
        for (String line : lines) {
            JsonNode text = new ObjectMapper().readTree(line);
            byte[] utf8 = HexFormat.of().parseHex(text.path("utf8").asText());
            int[] expected = text.path("tokens").valueStream().mapToInt(JsonNode::asInt).toArray();
            assertArrayEquals(expected, tokenizer.encode(utf8), () -> new String(utf8, StandardCharsets.UTF_8));
        }
    }

    /** LLM_GOLDEN names golden.json: prompts and their tokens. */
    @Test
    @EnabledIfEnvironmentVariable(named = "LLM_GOLDEN", matches = ".+")
    void promptsHaveTheirGoldenTokens() throws IOException {
        Tokenizer tokenizer = new Tokenizer(vocabulary());
        JsonNode cases = new ObjectMapper()
                .readTree(Path.of(System.getenv("LLM_GOLDEN")).toFile())
                .path("cases");
        assertTrue(cases.size() > 0);
        for (JsonNode one : cases) {
            int[] expected = one.path("prompt_tokens").valueStream().mapToInt(JsonNode::asInt).toArray();
            assertArrayEquals(expected, tokenizer.encode(one.path("prompt").asText()));
        }
    }
}
