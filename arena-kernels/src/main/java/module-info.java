/**
 * Kernels that every engine writes first: products with packed weights, norms, activations, attention, sampling.
 *
 * <p>Start at {@link io.devicearena.kernels.KernelStep}.
 */
@org.jspecify.annotations.NullMarked
module io.devicearena.kernels {
    requires transitive io.devicearena;
    requires transitive io.devicearena.cuda;
    requires transitive io.devicearena.weights;
    requires transitive io.devicearena.wgpu;
    requires static jdk.incubator.vector;
    requires static transitive org.jspecify;

    exports io.devicearena.kernels;
    exports io.devicearena.kernels.activation;
    exports io.devicearena.kernels.attention;
    exports io.devicearena.kernels.catalog;
    exports io.devicearena.kernels.convolution;
    exports io.devicearena.kernels.elementwise;
    exports io.devicearena.kernels.host;
    exports io.devicearena.kernels.linear;
    exports io.devicearena.kernels.matrix;
    exports io.devicearena.kernels.norm;
    exports io.devicearena.kernels.product;
    exports io.devicearena.kernels.reduction;
    exports io.devicearena.kernels.sampling;
    exports io.devicearena.kernels.shape;
}
