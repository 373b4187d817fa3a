package io.devicearena.weights;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The result of a load.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param matches what went where, and what was left over
 * @param bytes bytes of the file that were read
 * @param writtenBytes bytes of the arena that were written; other than {@code bytes} where elements were converted
 * @param seconds the time it took, without the verification
 * @param checksums CRC-32C of the bytes that were written, by tensor; empty unless {@link
 *     WeightLoader#withVerification} asked for it
 */
public record LoadReport(
        WeightMatches matches, long bytes, long writtenBytes, double seconds, Map<String, Long> checksums) {
    /** Makes a report; the map is copied. */
    public LoadReport {
        Objects.requireNonNull(matches, "matches");
        checksums = Map.copyOf(checksums);
    }

    /** {@return 10^9 bytes of the file per second; 0 for nothing} */
    public double gigabytesPerSecond() {
        return seconds > 0 ? bytes / seconds / 1e9 : 0;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%d tensors, %d bytes in %.3f s", matches.values().size(), writtenBytes, seconds);
    }
}
