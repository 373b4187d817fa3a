package io.devicearena.wgpu.faults;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;

import io.devicearena.DeviceException;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.testing.ChildOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program that lets calls of the library fail, one in each run of a workload. Its last line is what it found; each
 * fault that something is wrong with is a line before that.
 */
final class FaultyCalls {
    /** The property with the calls, by their numbers in the table, with commas. */
    static final String CALLS = "devicearena.faults.calls";

    /** The property with the times at which they fail: the first, the second and so on, with commas. */
    static final String TIMES = "devicearena.faults.times";

    private static final Duration HANG = Duration.ofMinutes(5);

    private final Faults faults;
    private final List<String> wrong = new ArrayList<>();
    /** What stays while no arena is open: the device and its own kernels, for the next arena. */
    private long idle;

    private int failed;
    private int unreached;

    private FaultyCalls(Faults faults) {
        this.faults = faults;
    }

    public static void main(String[] arguments) throws Throwable {
        try (Faults faults = new Faults()) {
            new FaultyCalls(faults).run();
        }
    }

    private void run() throws Throwable {
        new Workload(1).run();
        idle = faults.alive();
        for (int call : numbers(CALLS)) {
            for (int time : numbers(TIMES)) {
                tryCall(call, time);
            }
        }
        wrong.forEach(OUT::println);
        OUT.println(failed + " faults, " + unreached + " not reached, " + wrong.size() + " wrong");
    }

    private static int[] numbers(String property) {
        return Pattern.compile(",")
                .splitAsStream(System.getProperty(property))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private void tryCall(int index, int time) throws Throwable {
        Fault.Call call = FaultLibrary.CALLS.get(index);
        for (Fault.Kind kind : call.hasKinds() ? Fault.Kind.values() : new Fault.Kind[] {Fault.Kind.VALIDATION}) {
            String what = call.function() + " " + kind + " at call " + time;
            OUT.println(what); // the last one is the guilty one if the process ends
            CountDownLatch done = new CountDownLatch(1);
            ChildOutput.endAfter(HANG, done);
            faults.arm(index, kind, time);
            Throwable thrown = thrownBy(new Workload(time > 2 ? time : 2));
            boolean happened = faults.disarm();
            if (happened) {
                failed++;
                check(what, call, kind, thrown);
            } else {
                unreached++;
                report(thrown == null, what, "threw without a fault: " + thrown);
            }
            Throwable after = thrownBy(new Workload(1));
            report(after == null, what, "the next workload threw " + after);
            long left = faults.alive();
            report(left == idle, what, left + " objects of the library are alive with no arena, at first " + idle);
            done.countDown();
        }
    }

    private static @Nullable Throwable thrownBy(Workload workload) {
        try {
            workload.run();
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /**
     * Checks the exception of a fault. An error of clean-up reaches no caller, so the workload may end without one;
     * its bytes are right then. What the library objects to while a kernel is made or bound is about its source or its
     * bindings, and the exception says so.
     */
    private void check(String what, Fault.Call call, Fault.Kind kind, @Nullable Throwable thrown) {
        if (thrown == null) {
            return;
        }
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof KernelSourceException && kind == Fault.Kind.VALIDATION) {
            report(message.contains(kind.text()), what, "expected the library's text in: " + thrown);
            return;
        }
        boolean bindings = thrown instanceof IllegalArgumentException && kind == Fault.Kind.VALIDATION;
        report(bindings || thrown instanceof DeviceException, what, "expected a DeviceException, got " + thrown);
        String place = call.fault() == Fault.LATER ? "wgpuCommandEncoderFinish" : call.function();
        report(message.contains(place), what, "expected " + place + " in: " + thrown);
    }

    private void report(boolean right, String what, String otherwise) {
        if (!right) {
            wrong.add(what + ": " + otherwise);
        }
    }
}
