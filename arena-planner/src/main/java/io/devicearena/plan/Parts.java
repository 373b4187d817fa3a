package io.devicearena.plan;

import io.devicearena.BufferSlot;
import java.util.Arrays;

/**
 * Which values a plan puts where a concatenation has the very same bytes. Such a value needs no copying, and who reads its
 * bytes after the concatenation was made finds what it wrote.
 *
 * <p>A value is a part of the first concatenation only for which that holds, so parts and wholes form trees.
 */
final class Parts {
    private static final int NONE = -1;

    private final int[] wholes;
    private final int[] numbers; // in each tree a whole comes before its parts, which follow it without a gap
    private final int[] counts; // of a value and all that is a part of it, of its parts, and so on

    Parts(GraphIndex graph, SlotSizes sizes, BufferSlot[] slots) {
        int count = graph.count();
        wholes = new int[count];
        Arrays.fill(wholes, NONE);
        for (int i = 0; i < count; i++) {
            if (graph.isConcatenation(i)) {
                findParts(i, graph, sizes, slots);
            }
        }
        counts = new int[count];
        Arrays.fill(counts, 1);
        for (int i = 0; i < count; i++) {
            if (wholes[i] != NONE) {
                counts[wholes[i]] += counts[i]; // a whole comes after its parts, so those of i are all counted
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

    private void findParts(int whole, GraphIndex graph, SlotSizes sizes, BufferSlot[] slots) {
        long place = slots[whole].offset();
        for (int k = 0; k < graph.inputCount(whole); k++) {
            int input = graph.input(whole, k);
            int root = graph.root(input);
            if (!graph.isFused(input)
                    && !graph.role(root).isPinned()
                    && graph.isWhole(input)
                    && slots[root].offset() == place
                    && wholes[root] == NONE) {
                wholes[root] = whole;
            }
            place += graph.elements(input) * sizes.elementBytes(whole);
        }
    }

    /** Whether a value is a part of another one, or of a part of it. */
    boolean isPart(int value, int whole) {
        return value != whole && numbers[value] > numbers[whole] && numbers[value] < numbers[whole] + counts[whole];
    }

    /** Whether a value is a part of a concatenation itself. */
    boolean isDirectPart(int value, int whole) {
        return wholes[value] == whole;
    }
}
