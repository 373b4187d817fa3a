package io.devicearena.cli;

import io.devicearena.cli.message.InputException;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.diagnostics.MemoryReport;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Objects;
import java.util.concurrent.Callable;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Records work with the JDK Flight Recorder, by the settings that arena-diagnostics brings.
 *
 * <p>Threads: one thread at a time.
 */
final class FlightRecording {
    private static final String SETTINGS = "/device-arena.jfc";

    private final OutputFile file;
    private final Content content;

    /** Writes the file of a recording. It names no class of {@code jdk.jfr}, which a Java may lack. */
    interface Content {
        /** Writes it from a recording that has ended, and that {@code dump} writes to a file. */
        void write(OutputFile file, OutputFile.Filling dump) throws IOException;
    }

    private FlightRecording(OutputFile file, Content content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Checks that a recording can be made and written, and changes nothing.
     *
     * @throws InputException if the file cannot be written, or this Java has no flight recorder
     */
    static FlightRecording to(String option, Path named, Content content) {
        requireRecorder(option);
        return new FlightRecording(OutputFile.of(option, named), content);
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

    /** The file of the recording. */
    OutputFile file() {
        return file;
    }

    /**
     * Records work, and writes the recording also when the work fails.
     *
     * @throws Exception what the work throws, or an {@link IOException} if the recording cannot be written
     */
    <T> T record(Callable<T> work) throws Exception {
        try (Recording recording = new Recording(settings())) {
            recording.start();
            T result;
            try {
                result = work.call();
            } catch (Exception | Error e) {
                try {
                    write(recording);
                } catch (IOException also) {
                    e.addSuppressed(also);
                }
                throw e;
            }
            write(recording);
            return result;
        }
    }

    private void write(Recording recording) throws IOException {
        recording.stop();
        content.write(file, recording::dump);
    }

    private static Configuration settings() throws IOException, ParseException {
        try (Reader text = new InputStreamReader(
                Objects.requireNonNull(MemoryReport.class.getResourceAsStream(SETTINGS), SETTINGS),
                StandardCharsets.UTF_8)) {
            return Configuration.create(text);
        }
    }
}
