/**
 * The conformance kit: the tests that every provider of device arenas must pass, one for each clause of
 * {@code docs/spec.md}.
 *
 * <p>A user names one of two classes. {@link io.devicearena.conformance.DeviceArenaConformance} tests one backend in
 * the backend's own build; {@link io.devicearena.conformance.DiscoveredProvidersConformance} tests every provider on
 * the path.
 *
 * <p>The tests are in {@link io.devicearena.conformance.topics}, one interface for each group of the
 * specification. A test is a default method named after its clause, for example {@code
 * required_3_3_castsAreThoseOfTheFormulas}. {@link io.devicearena.conformance.topics.ConformanceTopic} opens arenas for
 * them; {@link io.devicearena.conformance.junit} has what runners and reports need. How the tests make their calls, and
 * what must come of them, is in the packages {@code calls}, {@code oracle} and {@code sequence}, which are not
 * exported.
 *
 * <p>Clauses about the library itself ({@code TypedCasts}, discovery, planners, {@code SharedArenas}) are tested
 * in the library's own build and are not part of the kit.
 */
@NullMarked
package io.devicearena.conformance;

import org.jspecify.annotations.NullMarked;
