package io.devicearena.cli.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.devicearena.cli.message.FileKind;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What other planners take for a model, as {@code tools/models/compare.py} writes it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param weightBytes the weights, without padding
 * @param runtime what ONNX Runtime takes
 * @param simplifier what onnxsim takes
 * @param planned the values that onnxsim plans
 */
public record Comparison(long weightBytes, Other runtime, Other simplifier, Set<String> planned) {
    private static final String FORMAT = "device-arena-comparison/1";

    /** Makes a comparison; the names are copied. */
    public Comparison {
        planned = Set.copyOf(planned);
    }

    /**
     * Another planner.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param version its version
     * @param activationBytes the memory of the values
     * @param kernelBytes what its kernels take for themselves; 0 for a planner alone
     * @param unplanned the values that it leaves out
     */
    public record Other(String version, long activationBytes, long kernelBytes, long unplanned) {}

    /**
     * Reads a comparison.
     *
     * @param file what the script wrote
     * @return the comparison
     * @throws InputException if it is no such file
     */
    public static Comparison read(Path file) {
        FileKind.requireFile(file);
        Map<String, String> fields = new HashMap<>();
        Set<String> planned = new HashSet<>();
        try (JsonParser json = new JsonFactory().createParser(Files.readAllBytes(file))) {
            while (json.nextToken() != null) {
                JsonToken token = json.currentToken();
                String path = json.getParsingContext().pathAsPointer().toString();
                if (token.isScalarValue() && path.startsWith("/onnxsim/planned/")) {
                    planned.add(json.getText());
                } else if (token.isScalarValue()) {
                    fields.put(path, json.getText());
                }
            }
        } catch (JsonProcessingException e) {
            throw new InputException(file.toString(), "expected JSON of tools/models/compare.py, got other text");
        } catch (IOException e) {
            throw new InputException(file.toString(), "the file cannot be read: " + IoErrorText.why(e));
        }
        if (!FORMAT.equals(fields.get("/format"))) {
            throw new InputException(
                    file.toString(),
                    "format: expected '" + FORMAT + "', got '" + fields.get("/format")
                            + "'; write it with tools/models/compare.py");
        }
        return new Comparison(
                number(file, fields, "/weightBytes"),
                new Other(
                        fields.getOrDefault("/onnxruntime/version", ""),
                        number(file, fields, "/onnxruntime/activationBytes"),
                        number(file, fields, "/onnxruntime/kernelBytes"),
                        0),
                new Other(
                        fields.getOrDefault("/onnxsim/version", ""),
                        number(file, fields, "/onnxsim/activationBytes"),
                        0,
                        number(file, fields, "/onnxsim/unplanned")),
                planned);
    }

    private static long number(Path file, Map<String, String> fields, String key) {
        try {
            return Long.parseLong(fields.getOrDefault(key, ""));
        } catch (NumberFormatException e) {
            throw new InputException(
                    file.toString(), key.substring(1) + ": expected a number of bytes, got " + fields.get(key));
        }
    }
}
