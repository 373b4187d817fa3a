package io.devicearena.weights.tensor;

/**
 * The format of a file of weights.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum FileFormat {
    /** One safetensors file, or several with an index. */
    SAFETENSORS("safetensors"),
    /** One GGUF file, or one that is split. */
    GGUF("GGUF"),
    /** One ONNX file, perhaps with data in other files. */
    ONNX("ONNX");

    private final String label;

    FileFormat(String label) {
        this.label = label;
    }

    /** {@return the name that messages use} */
    public String label() {
        return label;
    }
}
