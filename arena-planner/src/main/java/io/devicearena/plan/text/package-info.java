/**
 * Text forms of plans and buffers: {@link io.devicearena.plan.text.PlanText} has the form that reads back to an equal
 * plan, and a report; {@link io.devicearena.plan.text.BufferCsv} the tables of allocation research.
 */
@NullMarked
package io.devicearena.plan.text;

import org.jspecify.annotations.NullMarked;
