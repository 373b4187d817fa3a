package io.devicearena.kernels.tile;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.activation.ElementFunction;
import io.devicearena.kernels.activation.Epilogue;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * An epilogue on the host, bound to values: it adds to sums, computes the function and stores them.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class Finish {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private final float @Nullable [] bias;
    private final @Nullable MemorySegment added;
    private final ElementFunction function;
    private final MemorySegment out;

    /**
     * Binds an epilogue, and reads its bias.
     *
     * @param epilogue what to do
     * @param host the values
     * @param biases the elements of the bias
     * @param out the value that is written
     * @param elements of the output
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public Finish(Epilogue epilogue, HostValues host, int biases, NodeId out, long elements) {
        NodeId biasId = epilogue.bias();
        NodeId addedId = epilogue.added();
        this.bias = biasId == null ? null : HostFloats.read(HostFloats.words(host, biasId, biases), 0, biases);
        this.added = addedId == null ? null : HostFloats.words(host, addedId, elements);
        this.function = epilogue.function();
        this.out = HostFloats.words(host, out, elements);
    }

    /**
     * Finishes sums of a channel, and stores them.
     *
     * @param sums any floats
     * @param from the index of the first
     * @param count how many
     * @param channel the number of their bias
     * @param first the number of the first in the output
     * @param room memory for as many floats
     */
    public void finish(float[] sums, int from, int count, int channel, long first, float[] room) {
        if (bias != null) {
            addOne(sums, from, from + count, bias[channel]);
        }
        finish(sums, from, count, first, room);
    }

    /**
     * Finishes sums of neighbouring columns, and stores them.
     *
     * @param sums any floats
     * @param from the index of the first
     * @param count how many
     * @param firstColumn the number of the bias of the first
     * @param first the number of the first in the output
     * @param room memory for as many floats
     */
    public void finishColumns(float[] sums, int from, int count, int firstColumn, long first, float[] room) {
        if (bias != null) {
            addAll(sums, from, from + count, bias, firstColumn - from);
        }
        finish(sums, from, count, first, room);
    }

    private void finish(float[] sums, int from, int count, long first, float[] room) {
        if (added != null) {
            MemorySegment.copy(added, FLOAT, first * Float.BYTES, room, 0, count);
            addAll(sums, from, from + count, room, -from);
        }
        function.apply(sums, from, count);
        MemorySegment.copy(sums, from, out, FLOAT, first * Float.BYTES, count);
    }

    private static void addOne(float[] sums, int from, int to, float value) {
        for (int i = from; i < to; i++) {
            sums[i] += value;
        }
    }

    private static void addAll(float[] sums, int from, int to, float[] values, int shift) {
        for (int i = from; i < to; i++) {
            sums[i] += values[i + shift];
        }
    }
}
