/**
 * The command {@code ./arena bench} and its JMH benchmarks.
 *
 * <p>Start reading at {@link io.devicearena.bench.ArenaBench}. JMH measures casts, small arenas and planning here;
 * {@link io.devicearena.bench.table} measures devices call by call, and {@link io.devicearena.bench.plans} measures the
 * quality of plans. {@code org.openjdk.jmh.Main} starts a single benchmark by the name of its class.
 */
@NullMarked
package io.devicearena.bench;

import org.jspecify.annotations.NullMarked;
