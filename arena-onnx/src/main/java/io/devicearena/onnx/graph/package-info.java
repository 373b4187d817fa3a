/** The graph of an ONNX file, for planners: {@link io.devicearena.onnx.graph.OnnxGraph}. */
package io.devicearena.onnx.graph;
