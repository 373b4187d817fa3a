package io.devicearena.spi.memory;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One transfer of a batch after all checks: bytes of the arena, and memory of the caller that is alive, accessible and
 * large enough.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param slot where the value is, or the range of raw bytes; the transfer begins at its start
 * @param bytes how many bytes of the arena are moved, 1 to the size of the slot
 * @param dtype what the arena holds; U8 for raw bytes
 * @param floats whether the memory has host floats, which are cast to {@code dtype} and back, instead of the same bytes
 * @param node the value, or empty for raw bytes
 * @param memory what is written, or where a read lands; what follows the elements is not touched
 */
public record Span(
        BufferSlot slot, long bytes, DType dtype, boolean floats, Optional<NodeId> node, MemorySegment memory) {
    /** Makes a span. */
    public Span {
        Objects.requireNonNull(slot, "slot");
        Objects.requireNonNull(dtype, "dtype");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(memory, "memory");
    }

    /** {@return where the transfer begins: bytes from the arena's start} */
    public long offset() {
        return slot.offset();
    }

    /** {@return the elements that are moved; the bytes of a raw span} */
    public long elements() {
        return bytes / dtype.bytes();
    }

    /**
     * {@return the elements that spans move together}
     *
     * @param spans the spans
     */
    public static long elements(List<Span> spans) {
        long elements = 0;
        for (int i = 0; i < spans.size(); i++) { // no iterator: a run allocates nothing
            elements += spans.get(i).elements();
        }
        return elements;
    }

    /** {@return the bytes of the memory that are moved as they are; for spans without a cast} */
    public MemorySegment bytesOfMemory() {
        return memory.byteSize() == bytes ? memory : memory.asSlice(0, bytes);
    }
}
