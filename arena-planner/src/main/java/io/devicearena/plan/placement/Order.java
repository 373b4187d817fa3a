package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.RadixSort;
import java.util.stream.IntStream;

/** The orders in which lives are placed; lives that an order does not tell apart go by index. */
enum Order {
    /** The largest first. */
    LARGEST {
        @Override
        int[] of(Lives lives) {
            return sorted(lives, descendingSizes(lives));
        }
    },
    /** The largest first, of equal ones the longest. */
    LARGEST_LONGEST {
        @Override
        int[] of(Lives lives) {
            return sorted(lives, descendingSizes(lives), descendingSteps(lives));
        }
    },
    /** The longest first, of equal ones the largest. */
    LONGEST_LARGEST {
        @Override
        int[] of(Lives lives) {
            return sorted(lives, descendingSteps(lives), descendingSizes(lives));
        }
    },
    /** The one with the largest product of size and length first; products past a long are equal. */
    LARGEST_AREA {
        @Override
        int[] of(Lives lives) {
            long[] keys = new long[lives.count()];
            for (int i = 0; i < keys.length; i++) {
                long area = lives.size(i) * lives.steps(i);
                boolean fits = Math.multiplyHigh(lives.size(i), lives.steps(i)) == 0 && area > 0;
                keys[i] = fits ? Long.MAX_VALUE - area : 0;
            }
            return sorted(lives, keys);
        }
    },
    /** What lives all the time first; then the largest, of equal ones the one that begins first. */
    THROUGHOUT_LARGEST_EARLIEST {
        @Override
        int[] of(Lives lives) {
            long[] parts = new long[lives.count()];
            long[] begins = new long[lives.count()];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = lives.length(i) == lives.moments() ? 0 : 1;
                begins[i] = lives.first(i);
            }
            return sorted(lives, parts, descendingSizes(lives), begins);
        }
    },
    /** What is live at the fullest moment first, then at the next; of each moment the largest first. */
    FULLEST_LARGEST {
        @Override
        int[] of(Lives lives) {
            return sorted(lives, lives.shortfalls(), descendingSizes(lives));
        }
    },
    /** In order of time, of those that begin together the one that ends last. */
    EARLIEST {
        @Override
        int[] of(Lives lives) {
            long[] begins = new long[lives.count()];
            for (int i = 0; i < begins.length; i++) {
                begins[i] = lives.first(i);
            }
            return sorted(lives, begins, descendingSteps(lives));
        }
    };

    /** All lives in this order. */
    abstract int[] of(Lives lives);

    private static int[] sorted(Lives lives, long[]... keys) {
        int[] order = IntStream.range(0, lives.count()).toArray();
        for (int k = keys.length - 1; k >= 0; k--) {
            RadixSort.sort(order, keys[k]);
        }
        return order;
    }

    private static long[] descendingSizes(Lives lives) {
        long most = 0;
        for (int i = 0; i < lives.count(); i++) {
            most = Math.max(most, lives.bytes(i));
        }
        long[] keys = new long[lives.count()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = most - lives.bytes(i);
        }
        return keys;
    }

    private static long[] descendingSteps(Lives lives) {
        long most = 0;
        for (int i = 0; i < lives.count(); i++) {
            most = Math.max(most, lives.steps(i));
        }
        long[] keys = new long[lives.count()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = most - lives.steps(i);
        }
        return keys;
    }
}
