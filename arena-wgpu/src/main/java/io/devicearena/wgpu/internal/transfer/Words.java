package io.devicearena.wgpu.internal.transfer;

/** The words of 4 bytes that a device copies. Threads: static and stateless. */
final class Words {
    /** The bits of an offset within a word. */
    static final long REST = Integer.BYTES - 1;

    private Words() {}

    /** The next offset that begins a word. */
    static long up(long offset) {
        return offset + REST & ~REST;
    }

    /** The last offset that begins a word. */
    static long down(long offset) {
        return offset & ~REST;
    }
}
