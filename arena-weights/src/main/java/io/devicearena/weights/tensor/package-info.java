/** What files of weights hold: tensors with their types, and metadata. */
package io.devicearena.weights.tensor;
