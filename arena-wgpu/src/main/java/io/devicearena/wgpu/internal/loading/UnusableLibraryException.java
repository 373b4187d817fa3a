package io.devicearena.wgpu.internal.loading;

import java.util.Optional;

/** Why no library was loaded from a place, and a remedy if the general one does not apply. */
final class UnusableLibraryException extends Exception {
    private static final long serialVersionUID = 1;

    private final String remedy;

    UnusableLibraryException(String reason) {
        this(reason, "");
    }

    UnusableLibraryException(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    /** Why no library could be unpacked to the cache folder. */
    static UnusableLibraryException ofCache(String reason) {
        return new UnusableLibraryException(reason, CacheFolder.MOVE_IT);
    }

    /** Returns whether the folder is at fault, so that another folder may do. */
    boolean isOfCache() {
        return remedy.equals(CacheFolder.MOVE_IT);
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    Optional<String> remedy() {
        return remedy.isEmpty() ? Optional.empty() : Optional.of(remedy);
    }
}
