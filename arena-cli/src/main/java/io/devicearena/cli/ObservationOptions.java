package io.devicearena.cli;

import io.devicearena.cli.output.MemoryTable;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.diagnostics.MemoryReport;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that show what a run does. */
final class ObservationOptions {
    @Option(
            names = "--jfr",
            paramLabel = "FILE",
            description = "Record the run with the JDK Flight Recorder, and write the recording to FILE.")
    private @Nullable Path recording;

    @Option(
            names = "--report-memory",
            description = "Report the memory of the open arena and its device at the end of the run.")
    private boolean reportMemory;

    /** The memory of the arenas that are open now, if the options ask for it. */
    Optional<MemoryTable> memory() {
        return reportMemory ? Optional.of(new MemoryTable(MemoryReport.now())) : Optional.empty();
    }

    /**
     * The recording that the options ask for, checked before the work begins.
     *
     * @throws io.devicearena.cli.message.InputException if its file cannot be written, or this Java has no flight
     *     recorder
     */
    Optional<FlightRecording> recording() {
        return Optional.ofNullable(recording).map(file -> FlightRecording.to("--jfr", file, OutputFile::fill));
    }
}
