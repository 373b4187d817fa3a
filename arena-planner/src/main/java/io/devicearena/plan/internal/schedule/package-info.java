/** The order of execution. Start at {@link io.devicearena.plan.internal.schedule.MemoryAwareScheduler}. */
@NullMarked
package io.devicearena.plan.internal.schedule;

import org.jspecify.annotations.NullMarked;
