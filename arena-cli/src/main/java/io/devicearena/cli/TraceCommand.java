package io.devicearena.cli;

import io.devicearena.cli.message.FileKind;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.trace.RunTrace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import jdk.jfr.consumer.RecordedEvent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Turns a flight recording of an engine into a timeline. */
@Command(
        name = "trace",
        description =
                "Turns a recording of the JDK Flight Recorder into a timeline as Trace Event JSON, which Perfetto,"
                        + " chrome://tracing and speedscope open: transfers, submissions, waits and kernel steps.")
final class TraceCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Parameters(index = "0", paramLabel = "RECORDING", description = "A recording, for example run.jfr.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path recording;

    @Parameters(index = "1", paramLabel = "FILE", description = "The timeline that is written.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Override
    public Integer call() throws IOException {
        FlightRecording.requireRecorder("RECORDING");
        FileKind.requireFile(recording);
        OutputFile target = OutputFile.of("FILE", file);
        target.requireDistinctFrom(recording, "the recording");
        int count;
        try {
            List<RecordedEvent> events = read();
            count = events.size();
            target.write(writer -> RunTrace.write(events, Optional.empty(), writer));
        } catch (InputException e) {
            throw e;
        } catch (RuntimeException e) { // the JDK trusts recordings
            throw new InputException(recording.toString(), "expected a complete flight recording, got " + e);
        }
        output.print(json -> json.put("events", count), out -> out.line("events", HumanReadable.count(count)));
        return 0;
    }

    private List<RecordedEvent> read() {
        try (InputStream _ = Files.newInputStream(recording)) { // says why a file cannot be opened
            return RunTrace.read(recording);
        } catch (IOException e) {
            throw new InputException(recording.toString(), "expected a flight recording: " + IoErrorText.why(e));
        }
    }
}
