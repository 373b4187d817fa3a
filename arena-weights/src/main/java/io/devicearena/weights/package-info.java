/**
 * Files of weights, and the loader that streams them into an arena: start at {@link WeightFile}.
 *
 * <p>It can be used by itself, to read files without an arena: it needs {@code arena-api} and jackson-core.
 *
 * {@snippet file="io/devicearena/weights/WeightsSampleTest.java" region="read"}
 */
package io.devicearena.weights;
