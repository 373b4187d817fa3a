package io.devicearena.weights.internal.header;

import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.Tensor;
import java.util.List;
import java.util.Map;

/** What the header of a file says, and the files that it speaks of. */
public record WeightContents(
        FileFormat format, List<MappedFile> files, List<Tensor> tensors, Map<String, MetadataValue> metadata) {
    public WeightContents {
        files = List.copyOf(files);
        tensors = List.copyOf(tensors);
    }
}
