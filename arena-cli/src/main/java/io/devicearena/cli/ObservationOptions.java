package io.devicearena.cli;

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

    /**
     * The recording that the options ask for, checked before the work begins.
     *
     * @throws io.devicearena.cli.message.InputException if its file cannot be written, or this Java has no flight
     *     recorder
     */
    Optional<FlightRecording> recording() {
        return Optional.ofNullable(recording).map(file -> FlightRecording.to("--jfr", file));
    }
}
