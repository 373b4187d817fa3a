package io.devicearena.conformance;

/** Waits that an interrupt does not end. */
final class Uninterrupted {
    private Uninterrupted() {}

    /** Waits until a thread has ended; the caller's interrupt flag is clear afterwards. */
    @SuppressWarnings("ThreadJoinLoop") // the loop is there; no library is
    static void join(Thread thread) {
        while (true) {
            try {
                thread.join();
                return;
            } catch (InterruptedException e) {
                // waits on: the flag is what the test set
            }
        }
    }
}
