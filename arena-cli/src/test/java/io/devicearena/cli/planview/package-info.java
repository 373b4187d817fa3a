/** Tests of the page: what is written, and what a browser makes of it where one is installed. */
@NullMarked
package io.devicearena.cli.planview;

import org.jspecify.annotations.NullMarked;
