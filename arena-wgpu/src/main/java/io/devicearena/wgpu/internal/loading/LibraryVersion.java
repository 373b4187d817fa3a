package io.devicearena.wgpu.internal.loading;

/**
 * A version of wgpu-native, as {@code wgpuGetVersion} packs it: one byte for each of its four numbers, the first in the
 * highest byte.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param packed the four bytes
 */
public record LibraryVersion(int packed) {
    /** The version whose headers the bindings were generated from; no other version is loaded. */
    public static final LibraryVersion OF_BINDINGS = new LibraryVersion(0x1d000101);

    /** Returns the four numbers with dots between them. */
    @Override
    public String toString() {
        return (packed >>> 24) + "." + (packed >>> 16 & 0xff) + "." + (packed >>> 8 & 0xff) + "." + (packed & 0xff);
    }
}
