package io.devicearena.cli;

import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.trace.RunTrace;
import io.devicearena.diagnostics.MemoryReport;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Records work with the JDK Flight Recorder, by the settings that arena-diagnostics brings.
 *
 * <p>Threads: one thread at a time.
 *
 * @param recording the file of the recording, if it is written
 * @param timeline the file of a timeline that is made of the recording, if it is written
 */
record FlightRecording(Optional<OutputFile> recording, Optional<OutputFile> timeline) {
    private static final String SETTINGS = "/device-arena.jfc";

    /**
     * Makes a recording.
     *
     * @throws InputException if a file is written, and this Java has no flight recorder
     */
    FlightRecording {
        if (recording.isPresent()) {
            requireRecorder("--jfr");
        }
        if (timeline.isPresent()) {
            requireRecorder("--trace");
        }
    }

    /**
     * Checks that recordings can be made and read.
     *
     * @throws InputException if this Java has no flight recorder
     */
    static void requireRecorder(String option) {
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
            throw new InputException(
                    option, "expected a Java with the module jdk.jfr, got one without; use a complete JDK");
        }
    }

    /**
     * Does work, and writes the files also when the work fails.
     *
     * @param plan the plan of the timeline, if there is one when the work has ended
     * @throws Exception what the work throws, or an {@link IOException} if a file cannot be written
     */
    <T> T record(Callable<T> work, Supplier<Optional<PlannedInput>> plan) throws Exception {
        if (recording.isEmpty() && timeline.isEmpty()) {
            return work.call();
        }
        // what is closed last stands first; each is closed although one after it cannot be written
        try (Recording made = new Recording(settings());
                Closeable _ = () -> writeRecording(made);
                Closeable _ = () -> writeTimeline(made, plan.get());
                Closeable _ = made::stop) {
            made.start();
            return work.call();
        }
    }

    private void writeRecording(Recording made) throws IOException {
        if (recording.isPresent()) {
            recording.get().fill(made::dump);
        }
    }

    private void writeTimeline(Recording made, Optional<PlannedInput> plan) throws IOException {
        if (timeline.isPresent()) {
            Path whole = Files.createTempFile("arena-", ".jfr");
            try {
                made.dump(whole);
                List<RecordedEvent> events = RunTrace.read(whole);
                timeline.get().write(target -> RunTrace.write(events, plan, target));
            } finally {
                Files.delete(whole);
            }
        }
    }

    private static Configuration settings() throws IOException, ParseException {
        try (Reader text = new InputStreamReader(
                Objects.requireNonNull(MemoryReport.class.getResourceAsStream(SETTINGS), SETTINGS),
                StandardCharsets.UTF_8)) {
            return Configuration.create(text);
        }
    }
}
