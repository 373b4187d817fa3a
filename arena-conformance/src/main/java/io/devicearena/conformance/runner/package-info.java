/**
 * Runs the conformance kit outside a build, and writes reports.
 *
 * <p>Start at {@link io.devicearena.conformance.runner.ConformanceRunner}. A backend's own tests do not use this
 * package: they extend {@link io.devicearena.conformance.DeviceArenaConformance}. It needs the JUnit platform's
 * launcher and reporting and the Jupiter engine, which the caller adds: the first two are optional
 * dependencies of the kit, because the tests of a backend do not need them.
 */
@NullMarked
package io.devicearena.conformance.runner;

import org.jspecify.annotations.NullMarked;
