package com.example.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.llm.model.TinyModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that is generating ends as a user wants. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process there has no signals")
@Timeout(120)
class ProcessTest {
    private static final int CONTEXT = 100_000; // takes minutes
    private static final int INTERRUPTED = 128 + 2;

    @TempDir
    Path folder;

    private Path err;
    private Process process;

    @BeforeEach
    void prepare() {
        err = folder.resolve("err.txt");
    }

    private void start(int tokens, String... more) throws IOException {
        String model = TinyModel.withCharacters(1, CONTEXT).write(folder.resolve("tiny.gguf")).toString();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "com.example.llm.Main",
                "--model",
                model,
                "--provider",
                "cpu",
                "--context",
                "" + CONTEXT,
                "--tokens",
                "" + tokens,
                "hello"));
        command.addAll(List.of(more));
        process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    }

    @AfterEach
    void end() {
        if (process != null) { // else the test was skipped
            process.destroyForcibly();
        }
    }

    private void requireEnd(int code, String message) throws IOException, InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it goes on");
        List<String> lines = Files.readAllLines(err);
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.getFirst().matches("llm: " + message), lines::toString);
        assertEquals(code, process.exitValue());
    }

    @Test
    void aReaderThatGoesAwayEndsIt() throws IOException, InterruptedException {
        start(CONTEXT);
        process.getInputStream().read();
        process.getInputStream().close();
        requireEnd(1, "output: expected an open pipe or room on the disk, got neither");
    }

    @Test
    void aReaderOfJsonThatGoesAwayFailsIt() throws IOException, InterruptedException {
        start(4, "--json");
        process.getInputStream().close();
        requireEnd(1, "output: expected an open pipe or room on the disk, got neither");
    }

    /** The line comes when the arena is closed, else StopSignal writes another one after its time. */
    @Test
    void anInterruptEndsItBehindAToken() throws IOException, InterruptedException {
        Process ignored = new ProcessBuilder("sh", "-c", "kill -INT $$; echo ignored").start();
        Assumptions.assumeTrue(
                new String(ignored.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).isEmpty(),
                "this process ignores SIGINT, and so do those that it starts");
        start(CONTEXT);
        try (BufferedReader out = process.inputReader()) {
            out.read();
            new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start().waitFor();
            List<String> lines = out.lines().toList();
            assertTrue(lines.getLast().startsWith("activationBytes "), lines::toString);
        }
        requireEnd(INTERRUPTED, "stopped after [0-9]+ tokens?");
    }
}
