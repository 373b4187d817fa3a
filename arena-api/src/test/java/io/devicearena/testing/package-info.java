/** Arenas, providers and casts for the tests of this module. */
@NullMarked
package io.devicearena.testing;

import org.jspecify.annotations.NullMarked;
