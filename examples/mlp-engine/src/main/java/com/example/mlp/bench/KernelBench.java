package com.example.mlp.bench;

import com.example.mlp.kernels.DenseKernel;
import com.example.mlp.kernels.Tuning;
import com.example.mlp.kernels.WeightLoad;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.discovery.DeviceArenas;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Measures the dense kernels in every combination that the options name, and prints a table. */
public final class KernelBench {
    /** Workgroup memory that every device has. */
    private static final int SHARED_BYTES = 16 << 10;

    /** Loads of a thread; with more of them too few threads fit their registers. */
    private static final int MOST_IN_FLIGHT = 16;

    private final BenchOptions options;
    private final PrintStream out;
    private final List<KernelTime> all = new ArrayList<>();

    private KernelBench(BenchOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param words the options
     */
    public static void run(List<String> words, PrintStream out) {
        if (words.contains("--help")) {
            out.println(BenchOptions.USAGE);
            return;
        }
        new KernelBench(BenchOptions.parse(words), out).run();
    }

    private void run() {
        out.println("# " + DeviceArenas.choose(ArenaOptions.defaults().withProvider("wgpu")).name() + ", "
                + options.copies() + " matrices in turn");
        out.println(KernelTime.HEAD);
        for (Shape shape : options.shapes()) {
            for (int tokens : options.tokens()) {
                try (BenchArena arena = BenchArena.open(shape, tokens, options.copies())) {
                    for (WeightLoad format : options.formats()) {
                        measure(arena, shape, format, tokens);
                    }
                }
            }
        }
        best();
        FusedRead.measure(out);
    }

    private void measure(BenchArena arena, Shape shape, WeightLoad format, int tokens) {
        Optional<String> obstacle = arena.obstacle(format);
        if (obstacle.isPresent()) {
            out.println("# " + format + ": " + obstacle.get());
            return;
        }
        for (int threads : options.threads()) {
            for (int rows : options.rows()) {
                for (int loads : options.loads()) {
                    DenseKernel kernel = new DenseKernel(
                            format,
                            new Tuning(threads, rows, loads),
                            shape.rows(),
                            shape.columns(),
                            tokens,
                            false);
                    if (kernel.sharedBytes() <= SHARED_BYTES
                            && rows * loads <= MOST_IN_FLIGHT
                            && fitsRow(shape, format, threads, loads)) {
                        KernelTime row = arena.measure(kernel, options.repeats());
                        out.println(row);
                        all.add(row);
                    }
                }
            }
        }
    }

    /** A thread cannot have more loads in flight than a row has. */
    private static boolean fitsRow(Shape shape, WeightLoad format, int threads, int loads) {
        return loads == 1 || shape.columns() / format.columns() >= threads * loads;
    }

    private void best() {
        out.println();
        out.println("# the fastest of each shape, by the host's clock");
        out.println(KernelTime.HEAD);
        for (Shape shape : options.shapes()) {
            for (int tokens : options.tokens()) {
                Optional<KernelTime> full = best(shape, tokens, false);
                Optional<KernelTime> half = best(shape, tokens, true);
                full.ifPresent(out::println);
                half.ifPresent(out::println);
                if (full.isPresent() && half.isPresent()) {
                    out.println(String.format(
                            Locale.ROOT,
                            "# %s, %d tokens: f16 weights are %.2f times as fast",
                            shape,
                            tokens,
                            2 * half.get().gigabytesPerSecond() / full.get().gigabytesPerSecond()));
                }
            }
        }
    }

    private Optional<KernelTime> best(Shape shape, int tokens, boolean half) {
        return all.stream()
                .filter(row -> row.kernel().rows() == shape.rows()
                        && row.kernel().columns() == shape.columns()
                        && row.kernel().tokens() == tokens
                        && row.kernel().format().isHalf() == half)
                .max(Comparator.comparingDouble(KernelTime::gigabytesPerSecond));
    }

    /** Opens an arena of the provider that has kernels. */
    static DeviceArena open(MemoryPlan plan) {
        return DeviceArenas.open(
                plan, ArenaOptions.defaults().withProvider("wgpu").withLabel("kernel bench"));
    }
}
