package io.devicearena.kernels.shape;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.StepKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Joins values row by row: a row of the output is a row of each part, in their order. Parts that the plan put where
 * they go, inside the slot of the output, are left alone; if all are, nothing is recorded.
 *
 * <p>Concat along an axis has a row for each element of the dimensions before the axis; the width of a part is the
 * number of its elements from the axis on. Elements are words of 4 bytes: an element of 8 bytes counts twice. The bits
 * do not change.
 *
 * <p>On a device one dispatch copies as many parts as it can bind.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives [rows][sum of widths] words
 * @param parts each has [rows][width] words; one may be there several times
 * @param widths the words of a row of each part, 1 or more
 * @param rows 1 or more
 */
public record Concat(NodeId out, List<NodeId> parts, List<Long> widths, long rows) implements KernelStep {
    /** Checks the sizes. */
    public Concat {
        requireNonNull(out, "out");
        parts = List.copyOf(parts);
        widths = List.copyOf(widths);
        if (parts.isEmpty()
                || parts.size() != widths.size()
                || rows < 1
                || widths.stream().anyMatch(w -> w < 1)) {
            throw new IllegalArgumentException("concat to " + out
                    + ": expected parts, a width of 1 or more for each, and 1 or more rows, got " + parts.size()
                    + " parts, widths " + widths + " and " + rows + " rows");
        }
    }

    /** A part that is copied, and where it begins in a row. */
    private record Copied(NodeId id, long begin, long width) {}

    /** Where a value begins in memory. */
    private interface Place {
        long of(NodeId id);
    }

    @Override
    public String label() {
        return "concat";
    }

    @Override
    public List<NodeId> reads() {
        return parts.stream().distinct().toList();
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    private long rowWidth() {
        return widths.stream().mapToLong(Long::longValue).sum();
    }

    /** The parts that are not where they go. */
    private List<Copied> copied(Place place) {
        List<Copied> copied = new ArrayList<>();
        long begin = 0;
        for (int i = 0; i < parts.size(); i++) {
            NodeId part = parts.get(i);
            long goes = place.of(out) + begin * Integer.BYTES;
            if (place.of(part) != goes || (rows > 1 && parts.size() > 1)) {
                copied.add(new Copied(part, begin, widths.get(i)));
            }
            begin += widths.get(i);
        }
        return copied;
    }

    @Override
    public void record(StepRecorder device) {
        List<Copied> copied = copied(device::firstByte);
        if (copied.size() < parts.size()) {
            copied.forEach(part -> recordAlone(device, part));
            return;
        }
        int most = device.facts().maxStorageBindings() - 1;
        for (int i = 0; i < copied.size(); i += most) {
            record(device, copied.subList(i, Math.min(copied.size(), i + most)));
        }
    }

    /** Copies one part of the only row, through a window of its own: the other parts are not written. */
    private void recordAlone(StepRecorder device, Copied part) {
        StepKernel.of(device, "step/elements")
                .ofWords()
                .writePart("out", out, part.begin * Integer.BYTES, part.width * Integer.BYTES)
                .read("input", part.id, part.width * Integer.BYTES)
                .dispatchElements(label(), part.width);
    }

    private void record(StepRecorder device, List<Copied> copied) {
        long first = copied.getFirst().begin;
        long width = copied.getLast().begin + copied.getLast().width - first;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < copied.size(); i++) {
            text.append(String.format(Locale.ROOT, "const first_in_%d: u32 = 0u; //! job\n", i));
            text.append(String.format(Locale.ROOT, "@group(0) @binding(0) var<storage, read> in_%d: array<u32>;\n", i));
        }
        text.append(String.format(
                Locale.ROOT,
                "\nfn place(i: u32) -> u32 { return i / %du * %du + %du + i %% %1$du; }\n",
                width,
                rowWidth(),
                first));
        text.append(String.format(
                Locale.ROOT,
                "\nfn element(i: u32) -> u32 {\n    let row = i / %du;\n    let at = %du + i %% %1$du;\n",
                width,
                first));
        for (int i = 0; i < copied.size(); i++) {
            Copied part = copied.get(i);
            text.append(String.format(
                    Locale.ROOT,
                    "    if (at < %du) { return in_%d[first_in_%2$d + row * %du + at - %du]; }\n",
                    part.begin + part.width,
                    i,
                    part.width,
                    part.begin));
        }
        StepKernel kernel = StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text.append("    return 0u;\n}\n").toString())
                .write("out", out, rows * rowWidth() * Integer.BYTES);
        for (int i = 0; i < copied.size(); i++) {
            kernel.read("in_" + i, copied.get(i).id, rows * copied.get(i).width * Integer.BYTES);
        }
        kernel.dispatchElements(label(), rows * width);
    }

    @Override
    public Runnable bind(HostValues host) {
        List<Runnable> copies = copied(id -> host.bytes(id).address()).stream()
                .map(part -> {
                    List<Long> shape = List.of(rows, part.width);
                    Strided place = new Strided(out, part.begin, List.of(rowWidth(), 1L));
                    return new StridedCopy(place, Strided.dense(part.id, shape), shape).bind(host);
                })
                .toList();
        return () -> copies.forEach(Runnable::run);
    }
}
