/**
 * The placement algorithms of other planners, as baselines for the strategies of this library.
 *
 * <p>Each class is written from the cited description, in the simplest form that gives the same offsets: every buffer
 * scans all placed buffers in offset order, O(n^2) in all. Start reading at {@link
 * io.devicearena.bench.published.Baselines}.
 */
@NullMarked
package io.devicearena.bench.published;

import org.jspecify.annotations.NullMarked;
