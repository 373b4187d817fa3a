/**
 * Start reading at {@link io.devicearena.onnx.OnnxModel}.
 *
 * <p>It can be used by itself, to see what a model holds: it needs {@code arena-planner}, {@code arena-weights} and
 * protobuf-java, and ONNX Runtime only for operators whose shapes it does not know.
 *
 * {@snippet file="io/devicearena/onnx/OnnxSampleTest.java" region="read"}
 */
package io.devicearena.onnx;
