package io.devicearena.cli;

import io.devicearena.cli.input.DimensionRange;
import io.devicearena.plan.size.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The sizes of the dimensions that an ONNX file leaves open. */
final class DimensionOptions {
    @Option(
            names = "--dim",
            paramLabel = "NAME=N",
            description = "The size of a free dimension of an ONNX file, for example batch=1; x.0=1 for one without a"
                    + " name, the first of the input x. A range, for example tokens=1..512, or width=32..640:32 for"
                    + " multiples of 32, is planned once for all its sizes.")
    private List<String> dimensions = new ArrayList<>();

    /** The dimensions with their sizes. */
    List<Dimension> all() {
        return DimensionRange.of(dimensions);
    }

    /** The largest sizes by name. */
    Map<String, Long> sizes() {
        return DimensionRange.most(all());
    }
}
