package io.devicearena.bench.soak;

import java.io.PrintWriter;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends the process in bounded time. A driver runs code of its own when a process ends, and may wait there for ever.
 *
 * <p>If the end takes long, all threads' stacks are printed. Later the system ends the process with the signal SIGALRM:
 * this works too when the VM has stopped its threads and only a driver's code runs. A shell then reports exit code 142.
 * Where the C library has no {@code alarm}, as on Windows, only the stacks are printed.
 *
 * <p><b>Source:</b> POSIX.1-2017, {@code alarm} and {@code <signal.h>}: the default action of SIGALRM ends the process.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class BoundedExit {
    private static final int REPORT_SECONDS = 20;
    private static final int ALARM_SECONDS = 30;

    private final int reportSeconds;
    private final int alarmSeconds;

    BoundedExit(int reportSeconds, int alarmSeconds) {
        this.reportSeconds = reportSeconds;
        this.alarmSeconds = alarmSeconds;
    }

    /**
     * Ends the process within 30 s. After 20 s prints the stacks of all threads.
     *
     * @param status the exit code, if the process ends by itself
     * @param err where the stacks go
     */
    public static void exit(int status, PrintWriter err) {
        new BoundedExit(REPORT_SECONDS, ALARM_SECONDS).end(status, err);
    }

    void end(int status, PrintWriter err) {
        setAlarm();
        Thread.ofPlatform().daemon().name("exit-report").start(() -> reportLater(err));
        System.exit(status);
    }

    private void reportLater(PrintWriter err) {
        try {
            if (!new CountDownLatch(1).await(reportSeconds, TimeUnit.SECONDS)) {
                err.println("the process has not ended " + reportSeconds + " s after its exit began; its threads:");
                ThreadStacks.print(err);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no thread interrupts this one; without a report the alarm remains
        }
    }

    @SuppressWarnings("restricted") // a signal of the system is the only end that no driver can delay
    private void setAlarm() {
        Optional<MemorySegment> function = Linker.nativeLinker().defaultLookup().find("alarm");
        if (function.isEmpty()) {
            return;
        }
        MethodHandle alarm = Linker.nativeLinker()
                .downcallHandle(function.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            int earlier = (int) alarm.invokeExact(alarmSeconds);
            if (earlier != 0) {
                throw new IllegalStateException("alarm: expected none before, got one in " + earlier + " s");
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // a downcall throws nothing
        }
    }
}
