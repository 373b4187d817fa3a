package io.devicearena.spi;

import io.devicearena.spi.memory.Span;
import java.util.List;

/**
 * The spans of a batch; those of a read for as long as no value changes its length. Threads: immutable.
 *
 * @param list those that move a byte
 * @param elements elements of typed spans plus bytes of raw ones
 * @param table the slots they were found in
 * @param lengths the number of changes of lengths so far; 0 for a write, which does not end there
 */
record Spans(List<Span> list, long elements, SlotTable table, long lengths) {}
