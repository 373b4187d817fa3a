package io.devicearena.bench.soak;

import io.devicearena.ArenaDevice;
import io.devicearena.bench.json.JsonValues;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Uses arenas of random sizes from several threads for some minutes, loses their devices now and then, and checks every
 * byte.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@Command(
        name = "soak",
        description = "Opens, fills, runs, reads, loses and closes arenas of random sizes on every device, and checks"
                + " every byte. Prints a line for each minute.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Exit codes: 0 done, 1 an error or a wrong byte, 2 wrong usage,",
            "142 (SIGALRM) the process did not end within 30 s after the last line."
        })
public final class SoakCommand implements Callable<Integer> {
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final double GIGA = 1e9;

    /** How long threads may take for their last step; on the slowest device the longest takes less than 1 s. */
    private static final int LAST_STEP_SECONDS = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "N", description = "How long; default: ${DEFAULT-VALUE}.")
    private int minutes = 10;

    @Option(names = "--threads", paramLabel = "N", description = "How many threads; default: ${DEFAULT-VALUE}.")
    private int threads = 8;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "The largest arena, in bytes; default: ${DEFAULT-VALUE}.")
    private long bytes = 32L << 20;

    @Option(names = "--seed", paramLabel = "N", description = "Repeats a run as far as its threads do; default: 1.")
    private long seed = 1;

    @Option(names = "--provider", paramLabel = "NAME", description = "Only devices of this provider; default: all.")
    private @Nullable String provider;

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draws the figures by minute.")
    private @Nullable Path svg;

    /** Makes the command. */
    public SoakCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (minutes < 1 || threads < 1 || bytes < 1 || bytes > Integer.MAX_VALUE / 2) {
            throw new ParameterException(
                    spec.commandLine(),
                    "expected 1 or more minutes and threads, and 1 to " + Integer.MAX_VALUE / 2 + " bytes, got "
                            + minutes + " minutes, " + threads + " threads, " + bytes + " bytes");
        }
        Path folder = svg == null ? null : svg.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new ParameterException(
                    spec.commandLine(), "--svg: expected a file in a folder that exists, got '" + svg + "'");
        }
        PrintWriter out = spec.commandLine().getOut();
        List<ArenaDevice> devices = devices();
        PrintWriter text = json ? new PrintWriter(Writer.nullWriter()) : out;
        devices.forEach(device -> text.println("device: " + device.provider() + ", " + device.name()));
        LosableDevice.silenceLosses();
        SoakCounts counts = new SoakCounts();
        List<SoakRow> rows = run(devices, counts, text);
        counts.faults().forEach(fault -> text.println("error: " + fault));
        text.println(counts.arenas.sum() + " arenas, " + counts.steps.sum() + " steps, " + counts.losses.sum()
                + " devices lost, " + counts.errors.sum() + " errors");
        if (json) {
            JsonValues.write(document(rows, counts), out);
        }
        out.flush();
        if (svg != null) {
            Files.writeString(svg, SoakPicture.of(rows));
        }
        return counts.errors.sum() == 0 ? 0 : 1;
    }

    private static Map<String, Object> document(List<SoakRow> rows, SoakCounts counts) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("arenas", counts.arenas.sum());
        document.put("steps", counts.steps.sum());
        document.put("losses", counts.losses.sum());
        document.put("errors", counts.faults());
        document.put("errorCount", counts.errors.sum());
        document.put("minutes", rows.stream().map(SoakRow::fields).toList());
        return document;
    }

    private List<ArenaDevice> devices() {
        List<ArenaDevice> found = DeviceArenas.providers().stream()
                .filter(report -> provider == null || report.name().equals(provider))
                .map(report -> report.availability())
                .filter(Availability.Ready.class::isInstance)
                .flatMap(availability -> ((Availability.Ready) availability).devices().stream())
                .toList();
        if (found.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "expected a device" + (provider == null ? "" : " of provider '" + provider + "'")
                            + ", found none; './arena providers' says why");
        }
        return found;
    }

    private List<SoakRow> run(List<ArenaDevice> devices, SoakCounts counts, PrintWriter out)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long length = minutes * MINUTE_NANOS;
        ReadWriteLock losing = new ReentrantReadWriteLock(true);
        SplittableRandom random = new SplittableRandom(seed);
        CountDownLatch ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            SoakWorker worker = new SoakWorker(
                    random.split(), devices, bytes, counts, losing, () -> System.nanoTime() - begin >= length);
            Thread.ofPlatform().daemon().name("soak-" + i).start(() -> {
                try {
                    worker.run();
                } finally {
                    ended.countDown();
                }
            });
        }
        List<SoakRow> rows = new ArrayList<>();
        out.println(SoakRow.header());
        SoakTotals before = SoakTotals.of(counts, begin);
        for (int minute = 1; minute <= minutes; minute++) {
            long wait = begin + minute * MINUTE_NANOS - System.nanoTime();
            ended.await(wait, TimeUnit.NANOSECONDS);
            SoakTotals now = SoakTotals.of(counts, System.nanoTime());
            SoakRow row = now.since(before, minute);
            rows.add(row);
            out.println(row.line());
            out.flush();
            before = now;
        }
        if (!ended.await(LAST_STEP_SECONDS, TimeUnit.SECONDS)) {
            counts.fault(new IllegalStateException("expected " + threads + " threads to end within " + LAST_STEP_SECONDS
                    + " s after the last minute, still running: " + ended.getCount() + "; the stacks show where"));
            ThreadStacks.print(spec.commandLine().getErr());
        }
        return rows;
    }

    /** The counts at one time. */
    private record SoakTotals(long arenas, long steps, long bytes, long losses, long errors, long nanos) {
        static SoakTotals of(SoakCounts counts, long nanos) {
            return new SoakTotals(
                    counts.arenas.sum(),
                    counts.steps.sum(),
                    counts.movedBytes.sum(),
                    counts.losses.sum(),
                    counts.errors.sum(),
                    nanos);
        }

        SoakRow since(SoakTotals before, int minute) throws IOException {
            return new SoakRow(
                    minute,
                    arenas - before.arenas,
                    steps - before.steps,
                    (bytes - before.bytes) / GIGA,
                    (nanos - before.nanos) / GIGA,
                    losses - before.losses,
                    errors - before.errors,
                    SoakRow.currentResidentMiB(),
                    SoakRow.currentHeapMiB(),
                    SoakRow.currentFiles(),
                    SoakRow.currentThreads());
        }
    }
}
