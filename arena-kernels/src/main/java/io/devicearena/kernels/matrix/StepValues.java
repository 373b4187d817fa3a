package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The values of a product, each once. */
final class StepValues {
    private StepValues() {}

    static List<NodeId> reads(RowInput input, List<ProductPart> parts) {
        Set<NodeId> all = new LinkedHashSet<>(input.reads());
        NodeId cursor = input.cursor();
        if (cursor != null) {
            all.add(cursor);
        }
        parts.forEach(part -> all.add(part.matrix().id()));
        return new ArrayList<>(all);
    }

    static List<NodeId> writes(RowInput input, List<ProductPart> parts) {
        Set<NodeId> all = new LinkedHashSet<>(input.writes());
        parts.forEach(part -> all.add(part.out()));
        return new ArrayList<>(all);
    }
}
