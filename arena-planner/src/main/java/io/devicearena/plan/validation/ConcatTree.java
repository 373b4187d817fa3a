package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import java.util.Arrays;
import java.util.List;

/**
 * Which values a plan puts exactly where a concatenation has the same bytes, so that the concatenation has nothing to
 * copy for them. A value is a part of the first such concatenation only, so parts form trees.
 */
final class ConcatTree {
    private final int[] wholes; // by position: the concatenation that a value is a part of
    private final int[] numbers; // preorder: the parts of a value follow it without a gap
    private final int[] counts; // values in each subtree

    ConcatTree(List<GraphValue> values, BufferSlot[] slots) {
        int count = values.size(); // the position of the whole of all values that are no parts
        wholes = new int[count];
        Arrays.fill(wholes, count);
        values.stream().filter(value -> value.concatenation).forEach(whole -> findParts(whole, slots));
        counts = new int[count + 1];
        Arrays.fill(counts, 1);
        for (int i = 0; i < count; i++) {
            counts[wholes[i]] += counts[i]; // a whole comes after its parts, so counts[i] is complete
        }
        numbers = new int[count];
        int[] next = new int[count + 1];
        for (int i = count - 1; i >= 0; i--) {
            numbers[i] = next[wholes[i]];
            next[wholes[i]] += counts[i];
            next[i] = numbers[i] + 1;
        }
    }

    private void findParts(GraphValue whole, BufferSlot[] slots) {
        long offset = slots[whole.position].offset();
        for (GraphValue input : whole.inputs) {
            int root = input.root.position;
            boolean isFree = input.root.isMadeInMemory() && wholes[root] == slots.length;
            if (isFree && input.isWhole() && slots[root].offset() == offset) {
                wholes[root] = whole.position;
            }
            offset += input.elements * whole.elementBytes;
        }
    }

    /** Whether a value is a part of a concatenation, or of a part of it. */
    boolean isWithin(GraphValue value, GraphValue whole) {
        int distance = numbers[value.position] - numbers[whole.position];
        return distance > 0 && distance < counts[whole.position];
    }

    /** Whether a value is a part of a concatenation itself. */
    boolean isPart(GraphValue value, GraphValue whole) {
        return wholes[value.position] == whole.position;
    }
}
