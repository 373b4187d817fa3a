package io.devicearena.bench.soak;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Map;

/** Prints where the threads of the process are. */
final class ThreadStacks {
    private ThreadStacks() {}

    /** Prints the name, the state and the stack of each live thread, by name; flushes. */
    static void print(PrintWriter out) {
        Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
                .forEach(entry -> print(entry, out));
        out.flush();
    }

    private static void print(Map.Entry<Thread, StackTraceElement[]> entry, PrintWriter out) {
        out.println(
                "thread '" + entry.getKey().getName() + "', " + entry.getKey().getState());
        for (StackTraceElement frame : entry.getValue()) {
            out.println("    at " + frame);
        }
    }
}
