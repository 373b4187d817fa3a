package io.devicearena.bench.plans;

import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.text.BufferCsv;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A folder of traces: tables of buffers ({@code .csv}, {@code .csv.gz}) and networks ({@code .graph.tsv}). Offsets of
 * tables need no alignment, since their sizes are rounded already; those of networks are multiples of 64 bytes.
 */
final class TraceFolder {
    private static final String NETWORK = ".graph.tsv";
    private static final List<String> ENDINGS = List.of(".csv", ".csv.gz", NETWORK);

    private TraceFolder() {}

    /**
     * Reads all traces of a folder; other files are ignored.
     *
     * @return the problems by name
     * @throws IllegalArgumentException if the folder does not exist, has no trace, or a file is not what its name says
     */
    static List<TraceProblem> read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "traces: expected a folder, got '" + folder + "'; name one with --traces");
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.sorted().toList();
        }
        List<TraceProblem> problems = new ArrayList<>();
        for (Path file : files) {
            String name = Objects.requireNonNull(file.getFileName()).toString();
            try {
                for (String ending : ENDINGS) {
                    if (name.endsWith(ending)) {
                        String trace = name.substring(0, name.length() - ending.length());
                        problems.add(new TraceProblem(
                                trace, ending.equals(NETWORK) ? NetworkFile.problem(text(file)) : table(file)));
                    }
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
            }
        }
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("traces: expected .csv, .csv.gz or .graph.tsv files in '" + folder
                    + "', found none; name another folder with --traces");
        }
        return problems;
    }

    private static PlacementProblem table(Path file) throws IOException {
        try (BufferedReader source = text(file)) {
            List<LiveBuffer> buffers = BufferCsv.read(source);
            return new PlacementProblem(
                    buffers.stream().mapToLong(LiveBuffer::size).toArray(),
                    buffers.stream().mapToLong(LiveBuffer::firstStep).toArray(),
                    buffers.stream().mapToLong(LiveBuffer::endStep).toArray(),
                    1,
                    0);
        }
    }

    private static BufferedReader text(Path file) throws IOException {
        InputStream bytes = Files.newInputStream(file);
        return new BufferedReader(new InputStreamReader(
                file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes, StandardCharsets.UTF_8));
    }
}
