package io.devicearena.bench.plans;

import io.devicearena.plan.placement.PlacementProblem;

/**
 * A placement problem with a name.
 *
 * @param name what reports and the baseline call it
 * @param problem the buffers
 */
record TraceProblem(String name, PlacementProblem problem) {}
