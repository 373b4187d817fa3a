/**
 * Runs the conformance kit outside a build, and writes what came of it.
 *
 * <p>Start at {@link io.devicearena.conformance.runner.ConformanceRunner}. A backend's own tests need nothing of this
 * package: they extend {@link io.devicearena.conformance.DeviceArenaConformance}. It needs the JUnit platform's launcher
 * and reporting and the Jupiter engine, which whoever calls it brings along: the kit depends on the first two as
 * optional, so that it stays light in the tests of a backend.
 */
@NullMarked
package io.devicearena.conformance.runner;

import org.jspecify.annotations.NullMarked;
