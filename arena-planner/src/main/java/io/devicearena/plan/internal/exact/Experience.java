package io.devicearena.plan.internal.exact;

import java.util.Arrays;

/**
 * What attempts at a target have taught the next ones: the fullest placement that any of them came to, and which buffers
 * are hard to place.
 *
 * <p>Half of the attempts follow the fullest placement where they can; the other half prefers what was left over at the fullest point of
 * earlier ones. Only attempts at the least target learn; before there is anything to learn from, and at larger targets, the best whole
 * placement is followed instead, which is higher than the target.
 *
 * <p><b>Threads:</b> one thread at a time. Source: Beck, "Solution-guided multi-point constructive search for job shop
 * scheduling", 2007; Joslin and Clements, "Squeaky wheel optimization", 1999.
 */
public final class Experience {
    private static final long NOT_PLACED = -1;
    /** How many times as appealing a buffer is where the fullest placement has it. */
    private static final double PULL = 21;

    /** By how much the hardness of a buffer grows when it is left over. */
    private static final double GROWTH = 1.2;
    /** What of the hardness above 1 stays when it is not. */
    private static final double DECAY = 0.9;

    private static final double HARDEST = 1e6;

    /** A placement of all buffers; empty while none is known. */
    private long[] whole = new long[0];

    private final long[] fullest;
    private long fullestFill = -1;
    private final double[] hardness;
    private final long[] latest;
    private long latestFill = -1;
    private long target = Long.MAX_VALUE;
    private boolean isLearning;
    private boolean isFollowing;
    private long[] followed = new long[0];

    /** None yet, of so many buffers. */
    public Experience(int count) {
        this.fullest = new long[count];
        this.latest = new long[count];
        this.hardness = new double[count];
        Arrays.fill(hardness, 1);
    }

    /** Begins an attempt, and learns from the one before. */
    void begin(Attempt attempt) {
        learn();
        if (attempt.target() < target) {
            target = attempt.target();
            fullestFill = -1;
            Arrays.fill(hardness, 1);
        }
        isLearning = attempt.target() == target;
        followed = isLearning && fullestFill >= 0 ? fullest : whole;
        isFollowing = attempt.follows() && followed.length > 0;
    }

    private void learn() {
        if (latestFill < 0) {
            return;
        }
        for (int i = 0; i < latest.length; i++) {
            hardness[i] =
                    latest[i] == NOT_PLACED ? Math.min(HARDEST, hardness[i] * GROWTH) : 1 + (hardness[i] - 1) * DECAY;
        }
        if (latestFill >= fullestFill) {
            fullestFill = latestFill;
            System.arraycopy(latest, 0, fullest, 0, latest.length);
        }
        latestFill = -1;
    }

    /** Has a placement of all buffers, higher than any target to come. */
    public void know(long[] addresses) {
        whole = addresses;
    }

    /** Drops what the latest attempt would have taught. */
    public void forgetLatest() {
        latestFill = -1;
    }

    /** Remembers a placement if it is the fullest one of this attempt. */
    void note(Terrain terrain) {
        if (isLearning && terrain.fill() > latestFill) {
            latestFill = terrain.fill();
            for (int i = 0; i < latest.length; i++) {
                latest[i] = terrain.isPlaced(i) ? terrain.offsets()[i] : NOT_PLACED;
            }
        }
    }

    /** Scales the scores of buffers by how hard they are to place. */
    void weigh(double[] score) {
        if (isLearning && !isFollowing) {
            for (int i = 0; i < score.length; i++) {
                score[i] *= hardness[i];
            }
        }
    }

    /** How many times as appealing a buffer is at an address as elsewhere. */
    double pull(int buffer, long address) {
        return isFollowing && followed[buffer] == address ? PULL : 1;
    }
}
