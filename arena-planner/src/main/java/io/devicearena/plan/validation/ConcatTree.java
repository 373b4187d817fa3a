package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import java.util.Arrays;
import java.util.List;

/**
 * Which values a plan puts exactly where a concatenation has the same bytes, so that the concatenation has nothing to
 * copy for them. A value is a part of the first such concatenation only, so parts form trees.
 */
final class ConcatTree {
    private static final int NONE = -1;

    private final int[] wholes; // by position: the concatenation that a value is a part of
    private final int[] numbers; // preorder: the parts of a value follow it without a gap
    private final int[] counts; // values in each subtree

    ConcatTree(List<GraphValue> values, BufferSlot[] slots) {
        int count = values.size();
        wholes = new int[count];
        Arrays.fill(wholes, NONE);
        values.stream().filter(value -> value.concatenation).forEach(whole -> findParts(whole, slots));
        counts = new int[count];
        Arrays.fill(counts, 1);
        for (int i = 0; i < count; i++) {
            if (wholes[i] != NONE) {
                counts[wholes[i]] += counts[i]; // a whole stands behind its parts, so counts[i] is complete
            }
        }
        numbers = new int[count];
        int[] next = new int[count];
        int total = 0;
        for (int i = count - 1; i >= 0; i--) {
            if (wholes[i] == NONE) {
                numbers[i] = total;
                total += counts[i];
            } else {
                numbers[i] = next[wholes[i]];
                next[wholes[i]] += counts[i];
            }
            next[i] = numbers[i] + 1;
        }
    }

    private void findParts(GraphValue whole, BufferSlot[] slots) {
        long offset = slots[whole.position].offset();
        for (GraphValue input : whole.inputs) {
            int root = input.root.position;
            if (input.root.isMadeInMemory()
                    && input.isWhole()
                    && slots[root].offset() == offset
                    && wholes[root] == NONE) {
                wholes[root] = whole.position;
            }
            offset += input.elements * whole.elementBytes;
        }
    }

    /** Whether a value lies in a concatenation: is a part of it, or of a part of it. */
    boolean isWithin(GraphValue value, GraphValue whole) {
        int number = numbers[value.position];
        int first = numbers[whole.position];
        return value != whole && number > first && number < first + counts[whole.position];
    }

    /** Whether a value is a part of a concatenation itself. */
    boolean isPart(GraphValue value, GraphValue whole) {
        return wholes[value.position] == whole.position;
    }
}
