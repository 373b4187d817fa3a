package io.devicearena.bench.soak;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Its shutdown hook waits for ever, as the code of a driver may. */
final class ProgramThatNeverEnds {
    private ProgramThatNeverEnds() {}

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(ProgramThatNeverEnds::waitForEver, "hook-that-waits"));
        new BoundedExit(2, 8)
                .end(0, new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
