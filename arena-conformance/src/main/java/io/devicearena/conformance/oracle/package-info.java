/** What arenas must hold: plans, data, casts and comparisons that share no code with the library. */
@NullMarked
package io.devicearena.conformance.oracle;

import org.jspecify.annotations.NullMarked;
