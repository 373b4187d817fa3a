/**
 * The page that {@code --html} writes: a drawing of a memory plan in one HTML file that loads nothing else.
 *
 * <p>Start reading at {@link io.devicearena.cli.planview.PlanViewPage}. To change the page itself, edit the resources
 * of this package: {@code planview.html}, {@code planview.css} and {@code planview.js}.
 * {@link io.devicearena.cli.planview.PlanViewPage} joins them with the data of the plan.
 */
@NullMarked
package io.devicearena.cli.planview;

import org.jspecify.annotations.NullMarked;
