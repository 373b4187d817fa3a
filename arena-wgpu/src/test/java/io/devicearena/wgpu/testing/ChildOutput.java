package io.devicearena.wgpu.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The output of a child program, and a watchdog that ends it when it hangs. */
public final class ChildOutput {
    /** Flushed after each line, so that the last line is there even if native code ends the process. */
    public static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private static final int HUNG = 3;

    private ChildOutput() {}

    /**
     * Ends the process, after it printed the stacks of all threads, unless the latch reaches zero in time.
     *
     * @param limit the time to wait
     */
    public static void endAfter(Duration limit, CountDownLatch unless) {
        Thread.ofPlatform().daemon().name("watchdog").start(() -> {
            try {
                if (!unless.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    Thread.getAllStackTraces().forEach((thread, frames) -> {
                        OUT.println(thread);
                        for (StackTraceElement frame : frames) {
                            OUT.println("    at " + frame);
                        }
                    });
                    OUT.println("the program did not end within " + limit);
                    Runtime.getRuntime().halt(HUNG);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // no code interrupts this thread
            }
        });
    }
}
