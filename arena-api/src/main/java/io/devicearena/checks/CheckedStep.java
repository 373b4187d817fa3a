package io.devicearena.checks;

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
 * @param isMaybeInPlace whether it may read what it writes although {@code reads} does not have it
 */
public record CheckedStep(
        String label,
        List<CheckedRange> reads,
        List<CheckedRange> writes,
        boolean namesReads,
        boolean namesWrites,
        boolean isMaybeInPlace) {
    /** Makes a step; the lists are copied. */
    public CheckedStep {
        Objects.requireNonNull(label, "label");
        reads = List.copyOf(reads);
        writes = List.copyOf(writes);
    }

    /** The name of the step in messages. */
    String subject() {
        return "step '" + label + "'";
    }

    /** The values that it writes, each once. */
    List<CheckedValue> written() {
        return writes.stream().map(CheckedRange::value).distinct().toList();
    }
}
