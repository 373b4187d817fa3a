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
 * The real model in the file that LLM_MODEL names, against the tokens that LLM_GOLDEN has of it, on the provider that
 * LLM_PROVIDER names, else on cpu.
 */
@EnabledIfEnvironmentVariable(
        named = "LLM_GOLDEN",
        matches = ".+",
        disabledReason = "NO REAL MODEL IS TESTED: set LLM_MODEL to a GGUF file, LLM_GOLDEN to golden tokens of it")
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
        try (WeightFile file = WeightFile.open(Path.of(System.getenv("LLM_MODEL")));
                Engine engine = new Engine(
                        file, ArenaOptions.defaults().withProvider(provider), 1024, 256, Sampling.GREEDY)) {
            for (JsonNode one : cases) {
                engine.restart();
                int[] prompt = one.path("prompt_tokens").valueStream().mapToInt(JsonNode::asInt).toArray();
                int token = engine.prefill(prompt);
                float[] logits = engine.logits();
                for (JsonNode top : one.path("top")) {
                    assertEquals(top.path(1).asDouble(), logits[top.path(0).asInt()], LOGIT, one.path("name").asText());
                }
                JsonNode expected = one.path("tokens_f32");
                for (int i = 0; i < expected.size(); i++) {
                    if (token != expected.path(i).asInt()) {
                        logits = engine.logits();
                        float margin = logits[token] - logits[expected.path(i).asInt()];
                        assertTrue(margin < LOGIT, one.path("name").asText() + ": token " + i + ", margin " + margin);
                        break;
                    }
                    if (i + 1 < expected.size()) {
                        token = engine.next();
                    }
                }
            }
        }
    }
}
