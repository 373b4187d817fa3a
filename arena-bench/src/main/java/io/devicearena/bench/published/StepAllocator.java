package io.devicearena.bench.published;

/** An allocator as an engine calls it while it runs: it sees one request after the other and knows no live range. */
@FunctionalInterface
interface StepAllocator {
    /** {@return the address of so many bytes, 1 or more, that no other live request has} */
    long allocate(long bytes);

    /** Frees what {@link #allocate} has returned; by default at the end of the execution, with all others. */
    default void free(long address) {}
}
