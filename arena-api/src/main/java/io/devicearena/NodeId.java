package io.devicearena;

/**
 * Names one value (one tensor) of a graph.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param value the number the engine gave the value, 0 or more
 */
public record NodeId(long value) implements Comparable<NodeId> {
    /**
     * Makes the name of a value.
     *
     * @throws IllegalArgumentException if {@code value} is negative
     */
    public NodeId {
        if (value < 0) {
            throw new IllegalArgumentException("node id: expected 0 or more, got " + value);
        }
    }

    /**
     * Makes the name of a value.
     *
     * @param value the number the engine gave the value, 0 or more
     * @return the name
     * @throws IllegalArgumentException if {@code value} is negative
     */
    public static NodeId of(long value) {
        return new NodeId(value);
    }

    /**
     * Orders names by their number.
     *
     * @param other the name to compare with
     * @return negative, 0 or positive as this number is less than, equal to or greater than the other
     */
    @Override
    public int compareTo(NodeId other) {
        return Long.compare(value, other.value);
    }

    // Written out: the arena looks a node up on every read and write, also before the JIT has seen the record's own.

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeId that && that.value == value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public String toString() {
        return "node " + value;
    }
}
