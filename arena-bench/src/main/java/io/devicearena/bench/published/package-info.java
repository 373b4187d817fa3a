/**
 * The placement algorithms of other planners, as baselines for the strategies of this library, and models of the
 * allocators of engines.
 *
 * <p>Each class is written from the cited description, in the simplest form that gives the same offsets: every buffer
 * scans all placed buffers in offset order, O(n^2) in all. Start reading at {@link
 * io.devicearena.bench.published.Baselines} and at
 * {@link io.devicearena.bench.published.EngineModel}.
 */
@NullMarked
package io.devicearena.bench.published;

import org.jspecify.annotations.NullMarked;
