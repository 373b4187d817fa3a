package com.example.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.llm.model.Engine;
import com.example.llm.model.Sampling;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.devicearena.ArenaOptions;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Gemma 3 270M, in the file that LLM_MODEL names, against the tokens that LLM_GOLDEN has, on the provider that
 * LLM_PROVIDER names, else on cpu.
 */
@EnabledIfEnvironmentVariable(
        named = "LLM_GOLDEN",
        matches = ".+",
        disabledReason = "NO REAL MODEL IS TESTED: set LLM_MODEL to gemma-3-270m-q4_k_m.gguf, LLM_GOLDEN to golden.json")
class GoldenTest {
    /** How far a logit may be from the reference: behind a smaller margin another token may come. */
    private static final double LOGIT = 0.02;

    @Test
    void greedyTokensAreThoseOfTheReference() throws IOException {
        JsonNode cases = new ObjectMapper()
                .readTree(Path.of(System.getenv("LLM_GOLDEN")).toFile())
                .path("cases");
        assertTrue(cases.size() > 0);
        String provider = System.getenv().getOrDefault("LLM_PROVIDER", "cpu");
        for (JsonNode one : cases) {
            try (WeightFile file = WeightFile.open(Path.of(System.getenv("LLM_MODEL")));
                    Engine engine = new Engine(
                            file, ArenaOptions.defaults().withProvider(provider), 1024, 256, Sampling.GREEDY)) {
                int[] prompt = one.path("prompt_tokens").valueStream().mapToInt(JsonNode::asInt).toArray();
                int token = engine.prefill(prompt);
                float[] logits = engine.logits();
                for (JsonNode top : one.path("top")) {
                    assertEquals(top.path(1).asDouble(), logits[top.path(0).asInt()], LOGIT, one.path("name").asText());
                }
                JsonNode expected = one.path("tokens_f32");
                for (int i = 0; i < expected.size(); i++) {
                    if (token != expected.path(i).asInt()) {
                        double margin = one.path("margins").path(i).asDouble();
                        assertTrue(margin < LOGIT, one.path("name").asText() + ": token " + i + ", margin " + margin);
                        break;
                    }
                    token = engine.next();
                }
            }
        }
    }
}
