/**
 * The cost of an arena on a device: each case through the public API, one call at a time, with the heap bytes that a
 * call allocates. Start reading at {@link io.devicearena.bench.table.SpeedTable}.
 *
 * <p>JMH suits calls that take nanoseconds. This package measures calls that take microseconds and more, without forked
 * processes or generated code.
 */
@NullMarked
package io.devicearena.bench.table;

import org.jspecify.annotations.NullMarked;
