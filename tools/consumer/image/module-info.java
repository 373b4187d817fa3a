/** A program for an image of jlink: no module of its dependencies is automatic. */
module com.example.image {
    requires io.devicearena.kernels;
    requires io.devicearena.plan;
}
