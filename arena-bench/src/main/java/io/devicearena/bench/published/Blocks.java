package io.devicearena.bench.published;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Segments of a device, divided into blocks by best fit: the smallest free block that is large enough, of equal ones
 * the lowest. A block that is freed joins its free neighbours of the same segment.
 */
final class Blocks {
    private record Block(long size, long address) {}

    /** Whether the rest of a block becomes a free block. */
    interface Split {
        boolean divides(long blockBytes, long requestBytes);
    }

    private final Split split;
    private final TreeSet<Block> freeBySize =
            new TreeSet<>(Comparator.comparingLong(Block::size).thenComparingLong(Block::address));
    private final TreeMap<Long, Long> freeByAddress = new TreeMap<>();
    private final Map<Long, Long> live = new HashMap<>();

    /** Makes blocks without memory. */
    Blocks(Split split) {
        this.split = split;
    }

    /** {@return the address of a block, or -1 if no free one is large enough} */
    long allocate(long size) {
        Block best = freeBySize.ceiling(new Block(size, -1));
        if (best == null) {
            return -1;
        }
        removeFree(best.address, best.size);
        boolean divided = split.divides(best.size, size);
        if (divided) {
            addFree(best.address + size, best.size - size);
        }
        live.put(best.address, divided ? size : best.size);
        return best.address;
    }

    /**
     * Frees a block.
     *
     * @return whether it is one of these blocks
     */
    boolean free(long address) {
        Long size = live.remove(address);
        if (size == null) {
            return false;
        }
        long from = address;
        long end = address + size;
        Map.Entry<Long, Long> before = freeByAddress.lowerEntry(from);
        if (before != null && before.getKey() + before.getValue() == from) {
            from = before.getKey();
            removeFree(from, before.getValue());
        }
        Long after = freeByAddress.get(end);
        if (after != null) {
            removeFree(end, after);
            end += after;
        }
        addFree(from, end - from);
        return true;
    }

    /** Adds a free block, such as a segment of the device. */
    void addFree(long address, long size) {
        freeBySize.add(new Block(size, address));
        freeByAddress.put(address, size);
    }

    private void removeFree(long address, long size) {
        freeBySize.remove(new Block(size, address));
        freeByAddress.remove(address);
    }
}
