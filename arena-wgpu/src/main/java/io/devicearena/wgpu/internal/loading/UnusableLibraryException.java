package io.devicearena.wgpu.internal.loading;

/** Why no library was loaded from a place, and a remedy if the general one does not apply. */
final class UnusableLibraryException extends Exception {
    private static final long serialVersionUID = 1;

    /** What to do; empty if the general remedy applies. */
    final String remedy;

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
}
