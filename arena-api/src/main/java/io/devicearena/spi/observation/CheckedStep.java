package io.devicearena.spi.observation;

import java.util.List;
import java.util.Objects;

/**
 * What a step of a graph reads and writes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the name of the step in messages
 * @param reads the bytes that it reads
 * @param writes the bytes that it writes; it changes no others
 * @param namesReads whether {@code reads} has all of them; false for a kernel that can read the whole arena
 * @param namesWrites whether {@code writes} has all of them; false for a kernel that can write the whole arena
 * @param loads those of {@code writes} that a kernel may read too, since it has one binding for both
 * @param isMaybeInPlace whether it may keep elements that it finds in what it writes: those of an input in the same
 *     bytes
 */
public record CheckedStep(
        String label,
        List<CheckedRange> reads,
        List<CheckedRange> writes,
        List<CheckedRange> loads,
        boolean namesReads,
        boolean namesWrites,
        boolean isMaybeInPlace) {
    /** Makes a step; the lists are copied. */
    public CheckedStep {
        Objects.requireNonNull(label, "label");
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
        loads = List.copyOf(loads);
    }
}
