/**
 * What a command writes: JSON documents, tables of text, and files that appear only when they are complete.
 *
 * <p>Start reading at {@link io.devicearena.cli.output.PlanFiles} for files and at
 * {@link io.devicearena.cli.output.PlanSummary} for text and JSON.
 */
@NullMarked
package io.devicearena.cli.output;

import org.jspecify.annotations.NullMarked;
