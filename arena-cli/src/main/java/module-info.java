/** The command {@code ./arena}. Backends are found at run time, as for any engine. */
@org.jspecify.annotations.NullMarked
module io.devicearena.cli {
    requires static jdk.jfr;
    requires static org.jspecify;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires io.devicearena;
    requires io.devicearena.conformance;
    requires io.devicearena.diagnostics;
    requires io.devicearena.kernels;
    requires io.devicearena.onnx;
    requires io.devicearena.plan;
    requires io.devicearena.weights;

    opens io.devicearena.cli to
            info.picocli;
}
