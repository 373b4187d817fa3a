package io.devicearena.conformance.runner;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder where a run's reports go. */
record ReportFolder(Path path) {
    static final String PAGE = "index.html";

    static ReportFolder make(Path path) throws IOException {
        return new ReportFolder(Files.createDirectories(path.toAbsolutePath()));
    }

    /** Names the clause that runs now, for a process that does not reach the end of the run. */
    void writeUnfinished(String clause) throws IOException {
        try (Writer page = Files.newBufferedWriter(path.resolve(PAGE))) {
            HtmlReport.writeUnfinished(clause, page);
        }
    }

    void write(ConformanceReport report) throws IOException {
        try (Writer page = Files.newBufferedWriter(path.resolve(PAGE))) {
            HtmlReport.write(report, Specification.shipped(), page);
        }
    }
}
