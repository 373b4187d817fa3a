/**
 * The command line: {@link io.devicearena.cli.ArenaCli}, one class for each command, and the options that commands
 * share.
 *
 * <p>The way of {@code ./arena plan}: {@link io.devicearena.cli.input} reads the file, the planner plans and validates
 * it, {@link io.devicearena.cli.output} writes text, JSON and files, {@link io.devicearena.cli.planview} draws the
 * page. {@code ./arena run} then moves data through an arena in {@link io.devicearena.cli.replay}. All of them report
 * through {@link io.devicearena.cli.message}.
 */
@NullMarked
package io.devicearena.cli;

import org.jspecify.annotations.NullMarked;
