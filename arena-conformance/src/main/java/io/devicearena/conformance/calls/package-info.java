/** Calls on arenas that clauses make in several places, and the backend that holds them open. */
@NullMarked
package io.devicearena.conformance.calls;

import org.jspecify.annotations.NullMarked;
