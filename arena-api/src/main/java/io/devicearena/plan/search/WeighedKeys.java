package io.devicearena.plan.search;

import java.util.Arrays;

/**
 * Keys with a weight each, which answers how much lies below a key.
 *
 * <p>Threads: one thread at a time.
 */
final class WeighedKeys {
    private long[] keys = new long[16];
    /** The weight of each key; once sorted, of all keys up to it. */
    private long[] weights = new long[16];

    private int count;

    void clear() {
        count = 0;
    }

    void add(long key, long weight) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, 2 * count);
            weights = Arrays.copyOf(weights, 2 * count);
        }
        keys[count] = key;
        weights[count++] = weight;
    }

    /** Sorts by key; to be called after the last {@link #add}. */
    void sort() {
        // A heap sort: it needs no room and no objects.
        for (int root = count / 2 - 1; root >= 0; root--) {
            sink(root, count);
        }
        for (int end = count - 1; end > 0; end--) {
            swap(0, end);
            sink(0, end);
        }
        for (int i = 1; i < count; i++) {
            weights[i] += weights[i - 1];
        }
    }

    private void sink(int from, int end) {
        int root = from;
        int child = 2 * root + 1;
        while (child < end) {
            if (child + 1 < end && keys[child + 1] > keys[child]) {
                child++;
            }
            if (keys[root] >= keys[child]) {
                return;
            }
            swap(root, child);
            root = child;
            child = 2 * root + 1;
        }
    }

    private void swap(int a, int b) {
        long key = keys[a];
        keys[a] = keys[b];
        keys[b] = key;
        long weight = weights[a];
        weights[a] = weights[b];
        weights[b] = weight;
    }

    int count() {
        return count;
    }

    long key(int i) {
        return keys[i];
    }

    /** The weight of all keys below one. */
    long weightBelow(long key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 0 : weights[low - 1];
    }
}
