/** Natives that cannot be had here and now: the build goes on without them, unless it was told that they must be there. */
final class MissingNativesException extends Exception {
    private static final long serialVersionUID = 1;

    MissingNativesException(String reason) {
        super(reason);
    }
}
