package com.example.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir
    Path folder;

    private static void refuse(String message, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(new PrintStream(out), new PrintStream(err), arguments);
        assertEquals("llm: " + message + System.lineSeparator(), err.toString(StandardCharsets.UTF_8));
        assertEquals("", out.toString(StandardCharsets.UTF_8));
        assertEquals(2, code);
    }

    @Test
    void badInputIsOneLineAndCodeTwo() throws IOException {
        String model = new GgufWriter().with("tokenizer.ggml.model", "gpt2").write(folder.resolve("m.gguf")).toString();
        refuse("Missing required option: '--model=FILE'", "hello");
        refuse("Missing required parameter: 'PROMPT'", "--model", model);
        refuse("prompt: expected a text, got an empty one", "--model", model, " ");
        refuse("--tokens: expected 0 or more, got -1", "--model", model, "--tokens", "-1", "hello");
        refuse("--provider: expected cpu or wgpu, got 'tpu'", "--model", model, "--provider", "tpu", "hello");
        refuse("tokenizer: expected SentencePiece ('llama'), got 'gpt2'", "--model", model, "hello");
    }
}
