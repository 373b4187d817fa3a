/** Runs ONNX models on an arena. Start at {@link com.example.onnx.OnnxEngine}. */
package com.example.onnx;
