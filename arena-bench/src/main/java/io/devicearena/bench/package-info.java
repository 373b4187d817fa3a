/** JMH benchmarks; start one with {@code org.openjdk.jmh.Main} and the name of its class. */
@NullMarked
package io.devicearena.bench;

import org.jspecify.annotations.NullMarked;
