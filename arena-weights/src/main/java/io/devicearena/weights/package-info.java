/** Files of weights, and the loader that streams them into an arena: start at {@link WeightFile}. */
package io.devicearena.weights;
