package io.devicearena.kernel;

/**
 * The number of workgroups of a dispatch along each axis.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param x along the first axis, 1 to the device's limit
 * @param y along the second, 1 to the device's limit
 * @param z along the third, 1 to the device's limit
 */
public record Workgroups(int x, int y, int z) {
    /**
     * Returns workgroups along the first axis.
     *
     * @param x the number, 1 to the device's limit
     * @return the workgroups
     */
    public static Workgroups of(int x) {
        return new Workgroups(x, 1, 1);
    }

    /**
     * Returns workgroups along two axes.
     *
     * @param x along the first, 1 to the device's limit
     * @param y along the second, 1 to the device's limit
     * @return the workgroups
     */
    public static Workgroups of(int x, int y) {
        return new Workgroups(x, y, 1);
    }

    /**
     * Returns the fewest workgroups along the first axis that run a number of invocations.
     *
     * @param invocations the number of invocations, 1 or more
     * @param size the invocations of one workgroup, 1 or more
     * @return the workgroups
     * @throws IllegalArgumentException if a number is less than 1, or more workgroups are needed than an int counts
     */
    public static Workgroups covering(long invocations, int size) {
        if (invocations < 1 || size < 1) {
            throw new IllegalArgumentException("workgroups: expected 1 or more invocations in groups of 1 or more, got "
                    + invocations + " in groups of " + size);
        }
        long groups = (invocations - 1) / size + 1;
        if (groups > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("workgroups: expected at most " + Integer.MAX_VALUE + ", got " + groups
                    + "; let each invocation do more");
        }
        return of((int) groups);
    }
}
