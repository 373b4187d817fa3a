/**
 * A library that the build cannot fetch now. The build continues without it, unless {@code DEVICEARENA_REQUIRE} names
 * wgpu.
 */
final class MissingNativesException extends Exception {
    private static final long serialVersionUID = 1;

    MissingNativesException(String reason) {
        super(reason);
    }
}
