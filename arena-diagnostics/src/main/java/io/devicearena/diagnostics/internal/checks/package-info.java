/**
 * The checking mode of arenas: what is known of the bytes, and the comparison of each step with the plan. Start at
 * {@link io.devicearena.diagnostics.internal.checks.PlanChecks}.
 */
package io.devicearena.diagnostics.internal.checks;
