/**
 * The search in depth for a placement within a capacity: {@link io.devicearena.plan.depth.ValleySearch}. Not exported: strategies and
 * the search for the smallest placement share it.
 */
@NullMarked
package io.devicearena.plan.depth;

import org.jspecify.annotations.NullMarked;
