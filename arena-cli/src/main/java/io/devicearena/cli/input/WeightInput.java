package io.devicearena.cli.input;

import io.devicearena.cli.message.FileKind;
import io.devicearena.onnx.OnnxModel;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.WeightSource;
import io.devicearena.weights.tensor.FileFormat;
import java.nio.file.Path;

/**
 * A file of weights that is open: safetensors, GGUF or ONNX.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param source its tensors
 * @param format its format
 * @param closing closes the file
 */
public record WeightInput(WeightSource source, FileFormat format, Runnable closing) implements AutoCloseable {
    /**
     * Opens a file.
     *
     * @param path the file; one whose name ends in {@code .onnx} is an ONNX file
     * @return the weights, to be closed
     * @throws io.devicearena.cli.message.InputException if it is no regular file
     */
    public static WeightInput open(Path path) {
        FileKind.requireFile(path);
        if (OnnxInput.isOnnx(path)) {
            OnnxModel model = OnnxModel.open(path);
            return new WeightInput(model.weights(), FileFormat.ONNX, model::close);
        }
        WeightFile weights = WeightFile.open(path);
        return new WeightInput(weights, weights.format(), weights::close);
    }

    @Override
    public void close() {
        closing.run();
    }
}
