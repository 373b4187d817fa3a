/** A checked graph in arrays, {@link io.devicearena.plan.internal.graph.ArrayGraph}, and the sizes of its slots. */
@NullMarked
package io.devicearena.plan.internal.graph;

import org.jspecify.annotations.NullMarked;
