package io.devicearena.onnx.internal.tensors;

import io.devicearena.weights.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * A tensor of a model, and the way to its bytes.
 *
 * @param bytes read when they are asked for: a part of the mapped file, or decoded from the numbers in it
 */
public record StoredTensor(Tensor tensor, Supplier<MemorySegment> bytes) {}
