package com.example.mlp.bench;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures a large arena, which is held in many segments, beside one of a single segment: opening, filling, reading
 * back, small reads and a sum of all its words. Every result is verified.
 */
public final class SegmentBench {
    private static final String USAGE = """
            usage: mlp-engine --segments --bytes N
              --bytes N      of the arena: a multiple of 256, also with a suffix, as 64MiB or 130GiB
            An arena of one segment, at most 4 GiB, is measured before it and after it.""";
    private static final long UNIT = 256;
    private static final long MAX_SINGLE = 4L << 30;

    private SegmentBench() {}

    /**
     * Measures and prints.
     *
     * @param words the options
     * @throws IllegalStateException if a byte or the sum is wrong
     */
    public static void run(List<String> words, PrintStream out) {
        if (words.contains("--help")) {
            out.println(USAGE);
            return;
        }
        long bytes = bytes(words);
        ArenaDevice device = DeviceArenas.choose(ArenaOptions.defaults().withProvider("wgpu"));
        ArenaLimits limits = device.limits();
        long single = Math.min(Math.min(bytes, MAX_SINGLE), limits.maxSegmentBytes()) & -UNIT;
        out.println("# " + device.name() + ", segments of at most " + limits.maxSegmentBytes()
                + " bytes, bindings of at most " + limits.maxBindingBytes());
        out.println(SegmentRow.HEAD);
        List<SegmentRow> rows = new ArrayList<>();
        try (HostWords host = new HostWords(bytes)) {
            for (long size : List.of(single, bytes, single)) {
                SegmentRow row = SegmentArena.measure(size, host);
                out.println(row);
                rows.add(row);
            }
        }
        SegmentRow large = rows.get(1);
        out.println(String.format(
                Locale.ROOT,
                "# the large arena, over the better of the single segments: write %.3f, read %.3f",
                large.writeGigabytes()
                        / Math.max(rows.getFirst().writeGigabytes(), rows.getLast().writeGigabytes()),
                large.readGigabytes()
                        / Math.max(rows.getFirst().readGigabytes(), rows.getLast().readGigabytes())));
        out.println("# every byte was read back right, and every sum is right");
    }

    private static long bytes(List<String> words) {
        if (words.size() == 2 && words.getFirst().equals("--bytes")) {
            String text = words.get(1);
            int shift = text.endsWith("GiB") ? 30 : text.endsWith("MiB") ? 20 : 0;
            try {
                long number = Long.parseLong(shift > 0 ? text.substring(0, text.length() - 3) : text);
                if (number > 0 && number <= Long.MAX_VALUE >> shift && (number << shift) % UNIT == 0) {
                    return number << shift;
                }
            } catch (NumberFormatException e) {
                // falls through to the message below
            }
        }
        throw new IllegalArgumentException(
                "--segments: expected --bytes and a multiple of " + UNIT + ", got " + words + "\n" + USAGE);
    }
}
