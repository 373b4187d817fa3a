/** A program that uses every published module. */
module com.example.consumer {
    requires io.devicearena;
    requires io.devicearena.diagnostics;
    requires io.devicearena.kernels;
    requires io.devicearena.onnx;
    requires io.devicearena.plan;
    requires io.devicearena.weights;
}
