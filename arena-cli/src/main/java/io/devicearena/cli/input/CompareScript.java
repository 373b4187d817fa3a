package io.devicearena.cli.input;

import io.devicearena.cli.message.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@code tools/models/compare.py}.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class CompareScript {
    private static final long MOST_SECONDS = 300;

    private CompareScript() {}

    /**
     * Asks the other planners.
     *
     * @param model the ONNX file
     * @param dimensions the sizes of its free dimensions
     * @return what they take
     * @throws IOException if a file for the answer cannot be made
     * @throws InputException if the script fails, most often for lack of a Python package
     */
    public static Comparison run(Path model, Map<String, Long> dimensions) throws IOException {
        Path script = Path.of(System.getProperty("devicearena.root", "."), "tools", "models", "compare.py");
        List<String> command = new ArrayList<>(List.of("python3", script.toString(), model.toString()));
        dimensions.forEach((name, size) -> command.addAll(List.of("--dim", name + "=" + size)));
        Path answer = Files.createTempFile("compared", ".json");
        Path errors = Files.createTempFile("compared", ".log");
        try {
            Process python = new ProcessBuilder(command)
                    .redirectOutput(answer.toFile())
                    .redirectError(errors.toFile())
                    .start();
            if (!python.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                python.destroyForcibly();
                throw failed("no answer in " + MOST_SECONDS + " seconds");
            }
            if (python.exitValue() != 0) {
                List<String> lines = Files.readAllLines(errors);
                throw failed(lines.isEmpty() ? "exit code " + python.exitValue() : lines.getLast());
            }
            return Comparison.read(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("an interrupt");
        } catch (IOException e) {
            throw failed(String.valueOf(e.getMessage()));
        } finally {
            Files.delete(answer);
            Files.delete(errors);
        }
    }

    private static InputException failed(String got) {
        return new InputException(
                "--compare",
                "expected python3 with the packages onnx, onnxruntime, onnxsim and numpy, got: " + got
                        + "; run tools/models/compare.py where they are, and name what it writes with --compare=FILE");
    }
}
