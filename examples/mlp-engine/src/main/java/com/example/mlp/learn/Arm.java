package com.example.mlp.learn;

import java.util.SplittableRandom;

/**
 * The function to learn: where the tip of a flat arm is, from the angles of its joints, each against the part before
 * it.
 */
public final class Arm {
    /** Joints, and so parts, each shorter than the one before. */
    public static final int JOINTS = 8;

    /** How far a joint turns either way, in radians. */
    private static final double REACH = 0.5;

    private static final double SHRINKING = 0.8;

    private Arm() {}

    /** Fills in angles at random. */
    public static void turn(float[] angles, SplittableRandom random) {
        for (int i = 0; i < angles.length; i++) {
            angles[i] = (float) random.nextDouble(-REACH, REACH);
        }
    }

    /** Computes the tips of as many arms as there are angles for. */
    public static void tips(float[] angles, float[] tips) {
        for (int arm = 0; arm < angles.length / JOINTS; arm++) {
            double x = 0;
            double y = 0;
            double angle = 0;
            double length = 1;
            for (int joint = 0; joint < JOINTS; joint++) {
                angle += angles[arm * JOINTS + joint];
                x += length * Math.cos(angle);
                y += length * Math.sin(angle);
                length *= SHRINKING;
            }
            tips[2 * arm] = (float) x;
            tips[2 * arm + 1] = (float) y;
        }
    }
}
