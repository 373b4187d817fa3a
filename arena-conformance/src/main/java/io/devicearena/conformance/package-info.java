/**
 * The conformance kit: the tests that every provider of device arenas must pass, one for each clause of
 * {@code docs/spec.md}.
 *
 * <p>A user names one of two classes. {@link io.devicearena.conformance.DeviceArenaConformance} tests one backend in
 * the backend's own build; {@link io.devicearena.conformance.DiscoveredProvidersConformance} tests every provider on
 * the path.
 *
 * <p>The other public types are public because those two classes inherit their tests from them, and Java inherits only
 * default methods of interfaces that it can see. There is one interface for each topic of the specification, for
 * example {@link io.devicearena.conformance.GeometryConformance}. A test is a default method named after its clause,
 * for example {@code required_3_2_readsEndAtTheActualLength}. {@link io.devicearena.conformance.ConformanceTopic} opens
 * arenas for the tests; {@link io.devicearena.conformance.Subject}, {@link io.devicearena.conformance.Clause} and
 * {@link io.devicearena.conformance.ClauseSkippedException} are for runners and reports.
 *
 * <p>Clauses about the library itself ({@code TypedCasts}, discovery, planners, {@code SharedArenas}) are tested
 * in the library's own build and are not part of the kit.
 */
@NullMarked
package io.devicearena.conformance;

import org.jspecify.annotations.NullMarked;
