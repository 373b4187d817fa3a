/**
 * Timelines in the Trace Event format, which Perfetto, chrome://tracing and speedscope open, and snapshots for the
 * memory viewer of PyTorch: start at {@link io.devicearena.cli.trace.PlanTrace}.
 */
@NullMarked
package io.devicearena.cli.trace;

import org.jspecify.annotations.NullMarked;
