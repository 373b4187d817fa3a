/**
 * A graph in arrays, as the stages of the planner read it.
 *
 * <p>In: nodes that {@code GraphReader} of the package {@code io.devicearena.plan} has checked, one after another. Out:
 * {@link io.devicearena.plan.internal.graph.ArrayGraph} with {@link io.devicearena.plan.internal.graph.SlotSizes
 * sizes}. This package imports the vocabulary alone.
 */
@NullMarked
package io.devicearena.plan.internal.graph;

import org.jspecify.annotations.NullMarked;
