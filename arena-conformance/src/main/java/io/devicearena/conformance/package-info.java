/**
 * The conformance kit: the tests that every provider of device arenas must pass, one for each clause of
 * {@code docs/spec.md}.
 *
 * <p>A backend author extends {@link io.devicearena.conformance.DeviceArenaConformance} in a few lines. Whoever wants
 * every provider on the path tested extends {@link io.devicearena.conformance.DiscoveredProvidersConformance} in one.
 *
 * <p>The clauses are in one interface a topic, {@link io.devicearena.conformance.GeometryConformance} and its
 * neighbours: a test is a default method named for its clause, {@code required_3_2_readsEndAtTheActualLength}, and what
 * it says is all it needs. Clauses about the library itself ({@code TypedCasts}, discovery, planners) are tested in the
 * library's own build and are not here.
 */
@NullMarked
package io.devicearena.conformance;

import org.jspecify.annotations.NullMarked;
