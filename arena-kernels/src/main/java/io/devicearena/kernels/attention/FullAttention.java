package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.Workgroups;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * Attention of an encoder: each row of a sequence sees all rows of it. There is no cache.
 *
 * <p>Sequences are padded to equal lengths. Rows beyond a sequence's length are neither seen nor written.
 *
 * <p>On a device a workgroup answers 32 rows of a head, 32 keys at a time.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> A. Vaswani et al., Attention Is All You Need, 2017, equation 1; T. Dao, FlashAttention-2, 2023
 * (tiles with an online softmax).
 *
 * @param queries F32 [sequences][rows][heads * headDim]
 * @param keys F32 [sequences][rows][heads * headDim]
 * @param values F32 [sequences][rows][heads * headDim]
 * @param lengths U32 [sequences]: the valid rows of each, 0 to {@code rows}; more count as {@code rows}
 * @param sequences 1 or more
 * @param rows of each sequence, padding included, 1 or more
 * @param heads 1 or more
 * @param headDim the elements of a head, a multiple of 8, at most 256
 * @param scoreScale what the product of query and key is multiplied by, such as 1 / sqrt(headDim)
 * @param out receives F32 [sequences][rows][heads * headDim]; may be the queries, not the keys or the values
 */
public record FullAttention(
        NodeId queries,
        NodeId keys,
        NodeId values,
        NodeId lengths,
        int sequences,
        int rows,
        int heads,
        int headDim,
        float scoreScale,
        NodeId out)
        implements KernelStep {
    /** Checks the dimensions. */
    public FullAttention {
        Objects.requireNonNull(queries, "queries");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(lengths, "lengths");
        Objects.requireNonNull(out, "out");
        AttentionShape.checkHeadDim(headDim);
        if (sequences < 1 || rows < 1 || heads < 1) {
            throw new IllegalArgumentException("attention: expected 1 or more sequences, rows and heads, got "
                    + sequences + ", " + rows + " and " + heads);
        }
        if (!Float.isFinite(scoreScale)) {
            throw new IllegalArgumentException("scoreScale: expected a finite number, got " + scoreScale);
        }
        if (out.equals(keys) || out.equals(values)) {
            throw new IllegalArgumentException(
                    "attention: expected the queries or another value as output, got the keys or values " + out);
        }
    }

    @Override
    public String label() {
        return "full attention";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(queries, keys, values, lengths);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    private long elements() {
        return (long) sequences * rows * heads * headDim;
    }

    @Override
    public void record(StepRecorder device) {
        Bindings bindings = Bindings.none()
                .with(0, 2, DeviceValues.window(device, keys, elements() * Float.BYTES))
                .with(0, 3, DeviceValues.window(device, values, elements() * Float.BYTES))
                .with(0, 4, DeviceValues.window(device, lengths, (long) sequences * Integer.BYTES));
        String constants = "const GROUP = 1u;\nconst HEADS = " + heads + "u;\nconst ROWS = " + rows
                + "u;\nconst WIDTH = " + headDim / 4 + "u;\nconst SCALE = " + scoreScale + "f;\n";
        int tiles = (rows - 1) / TileKernel.QUERIES + 1;
        new TileKernel(label(), queries, out, elements(), headDim)
                .record(device, "seen-in-sequence", constants, bindings, new Workgroups(tiles, heads, sequences));
    }

    @Override
    public void compute(HostValues host) {
        MemorySegment from = HostFloats.words(host, queries, elements());
        MemorySegment seenKeys = HostFloats.words(host, keys, elements());
        MemorySegment seenValues = HostFloats.words(host, values, elements());
        MemorySegment valid = HostFloats.words(host, lengths, sequences);
        MemorySegment to = HostFloats.words(host, out, elements());
        host.parallel(Math.multiplyExact(sequences, Math.multiplyExact(rows, heads)), task -> {
            int sequence = task / heads / rows;
            int row = task / heads % rows;
            int length = HostFloats.word(valid, sequence);
            if (Integer.compareUnsigned(row, length) >= 0) {
                return;
            }
            long element = (long) task * headDim;
            float[][] query = {HostFloats.read(from, element, headDim)};
            Gathered gathered = new Gathered(query, scoreScale);
            long first = ((long) sequence * rows * heads + task % heads) * headDim;
            int end = Integer.compareUnsigned(length, rows) < 0 ? length : rows;
            for (int p = 0; p < end; p++) {
                gathered.add(seenKeys, seenValues, first + (long) p * heads * headDim);
            }
            gathered.writeMean(0, to, element);
        });
    }
}
