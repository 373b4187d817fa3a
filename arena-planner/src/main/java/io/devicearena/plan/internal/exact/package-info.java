/**
 * The search in depth for a placement within a capacity: {@link io.devicearena.plan.internal.exact.ValleySearch}. Not exported: strategies and
 * the search for the smallest placement share it.
 */
@NullMarked
package io.devicearena.plan.internal.exact;

import org.jspecify.annotations.NullMarked;
