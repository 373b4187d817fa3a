/** Start reading at {@link io.devicearena.onnx.OnnxModel}. */
package io.devicearena.onnx;
