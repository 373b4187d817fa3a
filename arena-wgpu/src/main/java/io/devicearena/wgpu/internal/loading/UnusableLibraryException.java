package io.devicearena.wgpu.internal.loading;

import java.util.Optional;

/** Why no library was loaded from a place, and a remedy if the general one does not apply. */
final class UnusableLibraryException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;
    private final String remedy;
    private final boolean ofCache;

    UnusableLibraryException(String reason) {
        this(reason, "");
    }

    UnusableLibraryException(String reason, String remedy) {
        this(reason, remedy, false);
    }

    private UnusableLibraryException(String reason, String remedy, boolean ofCache) {
        super(reason);
        this.reason = reason;
        this.remedy = remedy;
        this.ofCache = ofCache;
    }

    /** Why no library could be unpacked to the cache folder. */
    static UnusableLibraryException ofCache(String reason) {
        return new UnusableLibraryException(reason, CacheFolder.MOVE_IT, true);
    }

    /** Returns whether the folder is at fault, so that another folder may do. */
    boolean isOfCache() {
        return ofCache;
    }

    String reason() {
        return reason;
    }

    Optional<String> remedy() {
        return remedy.isEmpty() ? Optional.empty() : Optional.of(remedy);
    }
}
