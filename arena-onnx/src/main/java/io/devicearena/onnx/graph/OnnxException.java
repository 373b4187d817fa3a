package io.devicearena.onnx.graph;

import java.nio.file.Path;

/**
 * An ONNX file is well-formed, but its graph cannot be planned. The message begins with the file and names the node or
 * the value.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class OnnxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param file the file
     * @param problem the node or the value, what was expected, what is there, and the remedy
     */
    public OnnxException(Path file, String problem) {
        super(file + ": " + problem);
    }

    /**
     * Makes the exception for what failed below.
     *
     * @param file the file
     * @param problem the node or the value, what was expected, what is there, and the remedy
     * @param cause what failed
     */
    public OnnxException(Path file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
    }
}
