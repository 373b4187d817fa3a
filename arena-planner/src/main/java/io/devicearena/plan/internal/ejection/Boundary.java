package io.devicearena.plan.internal.ejection;

/**
 * The boundary that no buffer may cross, in units of the alignment.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Boundary {
    /** Units between two multiples; 0 where there is no boundary. */
    private final long distance;
    /** How far above a multiple the origin is. */
    private final long phase;

    /**
     * Makes one.
     *
     * @param bytes a multiple of the alignment, 0 for none
     * @param alignment in bytes, 1 or more
     * @param origin where address 0 is, in bytes, a multiple of the alignment
     */
    public Boundary(long bytes, long alignment, long origin) {
        this.distance = bytes / alignment;
        this.phase = distance == 0 ? 0 : origin / alignment % distance;
    }

    /** Tells whether there is one. */
    public boolean exists() {
        return distance > 0;
    }

    /** The lowest address from one on at which so many units, at most those between two multiples, cross none. */
    public long clear(long address, long size) {
        if (distance == 0) {
            return address;
        }
        long inside = (address + phase) % distance;
        return inside + size <= distance ? address : address + (distance - inside);
    }
}
