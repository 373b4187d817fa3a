package io.devicearena.cli;

import io.devicearena.cli.message.ErrorReporter;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.ConformanceJson;
import io.devicearena.cli.output.ConformanceText;
import io.devicearena.cli.output.OutputFolder;
import io.devicearena.conformance.runner.ConformanceReport;
import io.devicearena.conformance.runner.ConformanceRequest;
import io.devicearena.conformance.runner.ConformanceRunner;
import io.devicearena.conformance.runner.Specification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the conformance kit outside a build. */
@Command(
        name = "conformance",
        description = "Runs every clause of the specification on every device of every provider found, or of one.",
        footer = {
            "",
            "Exit codes: 0 every tested clause holds; 1 a clause fails, a required provider is not available, or nothing"
                    + " was tested; 2 wrong usage, including an unknown provider name."
        })
final class ConformanceCommand implements Callable<Integer> {
    /** The files of a report. */
    private static final List<String> REPORTS = List.of("index.html", "open-test-report.xml", "TEST-junit-jupiter.xml");

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(names = "--provider", paramLabel = "NAME", description = "The only provider to test; default: all found.")
    private @Nullable String provider;

    @Option(
            names = "--require",
            paramLabel = "LIST",
            description = "Providers that must be available, separated by commas; default: the variable"
                    + " DEVICEARENA_REQUIRE.")
    private @Nullable String required;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write index.html, a page that can be published, and JUnit's reports there.")
    private @Nullable Path folder;

    @Override
    public Integer call() throws IOException {
        if (folder != null) {
            OutputFolder.requireWritable("--report", folder, REPORTS);
        }
        String names =
                required == null ? System.getenv().getOrDefault(ConformanceRequest.REQUIRE_VARIABLE, "") : required;
        ConformanceRequest request = new ConformanceRequest(
                Optional.ofNullable(provider), ConformanceRequest.names(names), Optional.ofNullable(folder));
        ProgressLine progress = output.progress();
        ConformanceReport report;
        try {
            report = ConformanceRunner.run(request, progress::show);
        } finally {
            progress.clear();
        }
        output.print(json -> ConformanceJson.write(report, request, json), out -> {
            new ConformanceText(report, Specification.shipped()).print(out);
            request.reportFolder()
                    .ifPresent(path -> out.println("\nreport: "
                            + TerminalText.line(path.resolve("index.html").toString())));
        });
        return report.ok() ? 0 : ErrorReporter.FAILED;
    }
}
