/**
 * What a command plans: graphs from JSON and tables of buffers from CSV. An error in a file has its line and column.
 *
 * <p>Start reading at {@link io.devicearena.cli.input.PlanInputReader}. In comes a path; out goes a
 * {@link io.devicearena.cli.input.PlanInput}, which plans and validates itself.
 */
@NullMarked
package io.devicearena.cli.input;

import org.jspecify.annotations.NullMarked;
