package io.devicearena.wgpu.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What programs that tests start have in common: where they print, and an end with a reason when they hang. */
public final class ChildOutput {
    /** Printed to at once: the last line is there even if the process ends in native code. */
    public static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private static final int HUNG = 3;

    private ChildOutput() {}

    /**
     * Ends the process, with what all threads are doing, unless the latch is counted down in time.
     *
     * @param limit how long to wait
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
                    OUT.println("it did not end within " + limit);
                    Runtime.getRuntime().halt(HUNG);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // nobody does
            }
        });
    }
}
