package io.devicearena.wgpu.internal.loading;

import java.util.Optional;

/** Why no library was loaded from a place, and a remedy if the general one does not apply. */
final class UnusableLibraryException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;
    private final String remedy;

    UnusableLibraryException(String reason) {
        this(reason, "");
    }

    UnusableLibraryException(String reason, String remedy) {
        super(reason);
        this.reason = reason;
        this.remedy = remedy;
    }

    String reason() {
        return reason;
    }

    Optional<String> remedy() {
        return remedy.isEmpty() ? Optional.empty() : Optional.of(remedy);
    }
}
