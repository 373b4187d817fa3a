/**
 * The checking mode of arenas: what is known of the bytes, and the comparison of each step with the plan. Start at
 * {@link io.devicearena.checks.ExecutionChecks}.
 */
package io.devicearena.checks;
