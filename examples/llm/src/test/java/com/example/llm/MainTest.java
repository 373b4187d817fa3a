package com.example.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.llm.model.TinyModel;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private static final int CONTEXT = 32;

    /** What a command printed, and its code. */
    private record Ending(int code, String out, String err) {
        void require(int expectedCode, String expectedMessage) {
            assertEquals("llm: " + expectedMessage + System.lineSeparator(), err);
            assertEquals(expectedCode, code);
        }
    }

    @TempDir
    Path folder;

    private static Ending run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(new PrintStream(out), new PrintStream(err), arguments);
        return new Ending(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static void refuse(String message, String... arguments) {
        Ending ending = run(arguments);
        ending.require(2, message);
        assertEquals("", ending.out);
    }

    private String write(GgufWriter model) throws IOException {
        return model.write(folder.resolve("model.gguf")).toString();
    }

    private void refuseModel(String message, GgufWriter model) throws IOException {
        refuse(message, "--model", write(model), "--provider", "cpu", "--context", "16", "hello");
    }

    private String tiny() throws IOException {
        return write(TinyModel.withCharacters(1, CONTEXT));
    }

    private static String[] onCpu(String model, String... more) {
        List<String> all = new ArrayList<>(List.of("--model", model, "--provider", "cpu", "--context", "" + CONTEXT));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void badInputIsOneLineAndCodeTwo() throws IOException {
        String model = new GgufWriter().with("tokenizer.ggml.model", "bert").write(folder.resolve("m.gguf")).toString();
        refuse("Missing required option: '--model=FILE'", "hello");
        refuse("Missing required parameter: 'PROMPT'", "--model", model);
        refuse("Invalid value for option '--tokens': 'x' is not an int", "--model", model, "--tokens", "x", "hello");
        refuse("prompt: expected a text, got an empty one", "--model", model, " ");
        refuse("prompt: expected a text, got an empty one", "--model", model, "");
        refuse("--tokens: expected 0 or more, got -1", "--model", model, "--tokens", "-1", "hello");
        refuse("--provider: expected cpu, wgpu or cuda, got 'tpu'", "--model", model, "--provider", "tpu", "hello");
        refuse("model: expected architecture gemma3 or llama, got 'none'", "--model", model, "hello");
    }

    @Test
    void aFileThatIsNoModelIsRefused() throws IOException {
        Path none = folder.resolve("none.gguf");
        refuse(none + ": expected a file that can be read, got no such file", "--model", none.toString(), "hello");
        Path text = Files.writeString(folder.resolve("text.gguf"), "no model, but a few words\n".repeat(9));
        Ending ending = run("--model", text.toString(), "hello");
        assertEquals(2, ending.code);
        assertEquals(1, ending.err.lines().count(), ending.err);
        assertTrue(ending.err.startsWith("llm: " + text + ", byte 0: expected "), ending.err);
    }

    @Test
    void aModelThatDoesNotFitIsRefused() throws IOException {
        refuseModel("model: expected a tensor 'blk.0.ffn_up.weight', got none",
                TinyModel.withCharacters(1, CONTEXT).without("blk.0.ffn_up.weight"));
        refuseModel("blk.0.ffn_norm.weight: expected shape [256], got [4]",
                TinyModel.withCharacters(1, CONTEXT).withTensor("blk.0.ffn_norm.weight", 0, List.of(4L), new byte[16]));
        refuseModel("model: expected architecture gemma3 or llama, got 'qwen2'",
                TinyModel.withCharacters(new GgufWriter().with("general.architecture", "qwen2")));
    }

    @Test
    void aTensorThatTheEngineDoesNotUseIsRefusedByName() throws IOException {
        for (String name : List.of(
                "blk.0.attn_output.bias", "rope_factors_long.weight", "blk.0.attn_sinks", "blk.1.attn_norm.weight")) {
            refuseModel("model: expected tensors that this engine uses, got '" + name
                            + "' too, without which the text would be wrong",
                    TinyModel.withCharacters(1, CONTEXT).withTensor(name, 0, List.of(4L), new byte[16]));
        }
    }

    @Test
    void metadataThatAskForAnotherComputationAreRefusedByName() throws IOException {
        String why = ", which this engine does not compute";
        refuseModel("llama.rope.scaling.type: expected none, linear or no such key, got yarn" + why,
                TinyModel.withCharacters(1, CONTEXT).with("llama.rope.scaling.type", "yarn"));
        refuseModel("model: expected a factor of the rotation above 0, got -8.0",
                TinyModel.withCharacters(1, CONTEXT).with("llama.rope.scaling.factor", -8f));
        refuseModel("llama.final_logit_softcapping: expected 0 or no such key, got 30.0" + why,
                TinyModel.withCharacters(1, CONTEXT).with("llama.final_logit_softcapping", 30f));
        refuseModel("llama.attention.sliding_window: expected 0 or no such key, got 16" + why,
                TinyModel.withCharacters(1, CONTEXT).with("llama.attention.sliding_window", 16));
        refuseModel("llama.attention.value_length: expected 128 or no such key, got 64" + why,
                TinyModel.withCharacters(1, CONTEXT).with("llama.attention.value_length", 64));
        refuseModel("llama.expert_count: expected 0 or no such key, got 8" + why,
                TinyModel.withCharacters(1, CONTEXT).with("llama.expert_count", 8));
        refuseModel("llama.residual_scale: expected a key that this engine knows, got one with the value 0.5",
                TinyModel.withCharacters(1, CONTEXT).with("llama.residual_scale", 0.5f));
    }

    @Test
    void metadataThatChangeNothingAreTaken() throws IOException {
        GgufWriter model = TinyModel.withCharacters(1, CONTEXT)
                .with("llama.rope.scaling.type", "none")
                .with("llama.rope.scaling.factor", 8f)
                .with("llama.expert_count", 0)
                .with("llama.attention.sliding_window", CONTEXT)
                .with("llama.attention.value_length", TinyModel.HEAD)
                .with("llama.vocab_size", 96)
                .with("general.description", "no key of the model");
        assertEquals(new Ending(0, "", ""), withoutText(run(onCpu(write(model), "--tokens", "1", "hello"))));
    }

    @Test
    void aPromptThatIsLongerThanTheContextIsRefused() throws IOException {
        refuse("prompt: expected at most 32 tokens, the --context, got 33", onCpu(tiny(), "a".repeat(32)));
        refuse("prompt: expected at most 2048 tokens, the --context, got 100000",
                "--model", write(TinyModel.withCharacters(1, 2048)), "--provider", "cpu", "a".repeat(99_999));
    }

    @Test
    void aContextThatIsLongerThanTheModelsIsRefused() throws IOException {
        refuse("context: expected 1 to 32 tokens, as the model was made for, got 33",
                "--model", tiny(), "--provider", "cpu", "--context", "33", "hello");
    }

    @Test
    void aDeviceThatIsTooSmallIsRefusedBeforeItLoads() throws IOException {
        long memory = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        int context = 1 << 20; // the most that an attention has
        long layerBytes = 2L * TinyModel.HEAD * Float.BYTES * context;
        String model = write(TinyModel.withCharacters((int) (memory / layerBytes) + 1, context));
        Ending ending = run("--model", model, "--provider", "cpu", "--context", "" + context, "hello");
        assertTrue(
                ending.err.matches("llm: arena: expected at most [0-9]+ bytes .*, the physical memory of 'host memory', got"
                        + " [0-9]+ bytes .*; use a smaller --context or another --provider\\R"),
                ending.err);
        assertEquals(2, ending.code);
        assertEquals("", ending.out);
    }

    @Test
    void aTextIsContinued() throws IOException {
        Ending ending = run(onCpu(tiny(), "--tokens", "8", "--json", "hello"));
        assertEquals("", ending.err);
        assertEquals(0, ending.code);
        JsonNode report = new ObjectMapper().readTree(ending.out);
        assertEquals("[1,75,72,79,79,82]", report.path("promptTokens").toString());
        assertEquals(8, report.path("tokens").size());
    }

    @Test
    void aChatIsATurnOfTheTemplate() throws IOException {
        String template = "{{ '<start_of_turn>user\n' + content | trim }}<end_of_turn>\n<start_of_turn>model\n";
        GgufWriter model = TinyModel.withMarkers(1, CONTEXT, "<start_of_turn>", "<end_of_turn>");
        String path = write(model.with("tokenizer.chat_template", template));
        Ending ending = run(onCpu(path, "--chat", "--json", "--tokens", "4", " b "));
        assertEquals("", ending.err);
        assertEquals(
                "[1,94,88,86,72,85,93,69,95,93,94,80,82,71,72,79,93]",
                new ObjectMapper().readTree(ending.out).path("promptTokens").toString());
        run(onCpu(tiny(), "--chat", "hello"))
                .require(2, "--chat: expected 'tokenizer.chat_template' or markers of turns in the vocabulary, got neither");
    }

    @Test
    void aTextThatReachesTheEndOfTheContextSaysSo() throws IOException {
        Ending ending = run(onCpu(tiny(), "--tokens", "64", "--json", "hello"));
        ending.require(2, "context: expected room for 64 tokens, got 27 before the --context of 32 was full");
        assertEquals(27, new ObjectMapper().readTree(ending.out).path("tokens").size());
        run(onCpu(tiny(), "--tokens", "2", "a".repeat(31)))
                .require(2, "context: expected room for 2 tokens, got 1 before the --context of 32 was full");
        assertEquals(new Ending(0, "", ""), withoutText(run(onCpu(tiny(), "--tokens", "27", "hello"))));
    }

    private static Ending withoutText(Ending ending) {
        return new Ending(ending.code, "", ending.err);
    }

    @Test
    void anOutputThatCannotBeWrittenIsOneLineAndCodeOne() throws IOException {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        for (List<String> form : List.of(List.<String>of(), List.of("--json"))) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            List<String> arguments = new ArrayList<>(List.of(onCpu(tiny(), "hello")));
            arguments.addAll(form);
            int code = Main.run(new PrintStream(closed), new PrintStream(err), arguments.toArray(String[]::new));
            new Ending(code, "", err.toString(StandardCharsets.UTF_8))
                    .require(1, "output: expected an open pipe or room on the disk, got neither");
        }
    }

    @Test
    void logitsThatCannotBeWrittenAreOneLineAndCodeOne() throws IOException {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "this system has no /dev/full");
        run(onCpu(tiny(), "--logits", full.toString(), "hello"))
                .require(1, "--logits: expected a file that can be written, got java.io.IOException: No space left on device");
        Path none = folder.resolve("none").resolve("logits");
        run(onCpu(tiny(), "--logits", none.toString(), "hello"))
                .require(1, "--logits: expected a file that can be written, got java.nio.file.NoSuchFileException: " + none);
    }

    @Test
    void logitsAreAFloatForEachToken() throws IOException {
        Path file = folder.resolve("logits");
        assertEquals(0, run(onCpu(tiny(), "--tokens", "0", "--logits", file.toString(), "hello")).code);
        assertEquals(96 * Float.BYTES, Files.size(file));
    }

    @Test
    void aReportIsOneLineOfJson() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("text", "a \"b\"\n");
        report.put("tokens", List.of(1, 2));
        report.put("prompt", new int[] {3});
        report.put("round", Map.of("bytes", 5L));
        report.put("speed", 1.5);
        assertEquals(
                "{\"text\":\"a \\\"b\\\"\\n\",\"tokens\":[1,2],\"prompt\":[3],\"round\":{\"bytes\":5},\"speed\":1.5}",
                JsonLine.of(report));
    }
}
