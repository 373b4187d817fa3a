/** The content of files of weights: tensors with their types, and metadata. */
package io.devicearena.weights.tensor;
