/**
 * The table of what an arena costs on a device: each case through the public API, one call at a time, with the heap bytes
 * that a call takes. Start with {@link io.devicearena.bench.table.SpeedTable}.
 *
 * <p>JMH measures what takes nanoseconds; this measures what takes microseconds and more, on any machine, with no second
 * process and nothing generated.
 */
@NullMarked
package io.devicearena.bench.table;

import org.jspecify.annotations.NullMarked;
