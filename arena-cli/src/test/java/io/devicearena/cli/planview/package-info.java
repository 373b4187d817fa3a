/** Tests of the picture: what is written, and, where a browser is at hand, what it makes of it. */
@NullMarked
package io.devicearena.cli.planview;

import org.jspecify.annotations.NullMarked;
