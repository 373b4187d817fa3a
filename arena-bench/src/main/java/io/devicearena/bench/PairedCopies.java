package io.devicearena.bench;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Large transfers and a plain copy of the same bytes between the same memory, in turn in one process. The pages that a
 * process happens to have change the speed of a large copy by 10 % and more, so only such pairs show the cost of an
 * arena.
 */
final class PairedCopies {
    private static final NodeId VALUE = NodeId.of(7);
    private static final int WARM_UP = 20;
    private static final int ROUNDS = 200;

    private PairedCopies() {}

    static void run(String provider, long bytes, PrintWriter out) {
        MemoryPlan plan = new MemoryPlan(bytes, Map.of(VALUE, new BufferSlot(0, bytes)), List.of(VALUE));
        try (Arena host = Arena.ofShared();
                DeviceArena arena =
                        DeviceArenas.open(plan, ArenaOptions.defaults().withProvider(provider))) {
            MemorySegment memory = host.allocate(bytes, 64).fill((byte) 1);
            MemorySegment block = arena.unwrap(MemorySegment.class)
                    .orElseGet(() -> host.allocate(bytes, 64).fill((byte) 2));
            Runnable copyIn = () -> MemorySegment.copy(memory, 0, block, 0, bytes);
            Runnable copyOut = () -> MemorySegment.copy(block, 0, memory, 0, bytes);
            pair("write", () -> arena.writeInputF32(VALUE, DType.F32, memory), copyIn, provider, bytes, out);
            pair("writeBytes", () -> arena.writeBytes(0, memory), copyIn, provider, bytes, out);
            pair("read", () -> arena.readOutputF32(VALUE, DType.F32, memory), copyOut, provider, bytes, out);
            pair("readBytes", () -> arena.readBytes(0, memory), copyOut, provider, bytes, out);
        }
    }

    private static void pair(String name, Runnable call, Runnable copy, String provider, long bytes, PrintWriter out) {
        double[] calls = new double[ROUNDS];
        double[] copies = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double callMicros = micros(call);
            double copyMicros = micros(copy);
            if (round >= 0) {
                calls[round] = callMicros;
                copies[round] = copyMicros;
            }
        }
        Arrays.sort(calls);
        Arrays.sort(copies);
        double median = calls[ROUNDS / 2];
        double baseline = copies[ROUNDS / 2];
        out.println(String.format(
                Locale.ROOT,
                "%-12s %-8s %12d bytes %12.1f µs, copy %12.1f µs: %.3f of its speed",
                name,
                provider,
                bytes,
                median,
                baseline,
                baseline / median));
    }

    private static double micros(Runnable call) {
        long start = System.nanoTime();
        call.run();
        return (System.nanoTime() - start) / 1e3;
    }
}
