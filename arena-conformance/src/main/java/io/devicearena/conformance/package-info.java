/** The conformance kit: the tests that every provider of device arenas must pass. */
@NullMarked
package io.devicearena.conformance;

import org.jspecify.annotations.NullMarked;
