/** Depth-first branch and bound; start at {@link io.devicearena.plan.internal.exact.BranchAndBound}. Not exported. */
@NullMarked
package io.devicearena.plan.internal.exact;

import org.jspecify.annotations.NullMarked;
