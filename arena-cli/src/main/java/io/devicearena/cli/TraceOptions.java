package io.devicearena.cli;

import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.trace.RunTrace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that writes a timeline. */
final class TraceOptions {
    private static final String NAME = "--trace";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description = "Write a timeline as Trace Event JSON, which Perfetto, chrome://tracing and speedscope open:"
                    + " live ranges by offset and the load, and of a run its transfers, waits and steps.")
    private @Nullable Path named;

    /**
     * The timeline of a plan, checked before the work begins.
     *
     * @throws io.devicearena.cli.message.InputException if it cannot be written
     */
    Optional<OutputFile> file() {
        return Optional.ofNullable(named).map(file -> OutputFile.of(NAME, file));
    }

    /**
     * The recording of which the timeline of a run is made, checked before the work begins.
     *
     * @param plan the plan, once there is one
     * @throws io.devicearena.cli.message.InputException if it cannot be written, or this Java has no flight recorder
     */
    Optional<FlightRecording> recording(Supplier<Optional<PlannedInput>> plan) {
        return Optional.ofNullable(named)
                .map(file -> FlightRecording.to(NAME, file, (target, dump) -> {
                    Path recording = Files.createTempFile("arena-", ".jfr");
                    try {
                        dump.writeTo(recording);
                        target.write(RunTrace.read(recording, plan.get())::write);
                    } finally {
                        Files.delete(recording);
                    }
                }));
    }
}
