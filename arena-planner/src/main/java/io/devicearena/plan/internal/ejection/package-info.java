/**
 * Lowers placements that exist, and what it takes: allowances of work, and a sort. Not exported: strategies and the search
 * share it.
 */
@NullMarked
package io.devicearena.plan.internal.ejection;

import org.jspecify.annotations.NullMarked;
