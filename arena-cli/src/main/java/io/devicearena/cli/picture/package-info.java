/**
 * The picture of a memory plan: one HTML page that needs nothing but itself.
 *
 * <p>A caller starts at {@link io.devicearena.cli.picture.PlanPicture}. Who changes the page itself finds it in the
 * resources of this package: {@code picture.html} with its {@code picture.css} and {@code picture.js};
 * {@link io.devicearena.cli.picture.PlanPicture} puts the three and the plan's data together.
 */
@NullMarked
package io.devicearena.cli.picture;

import org.jspecify.annotations.NullMarked;
