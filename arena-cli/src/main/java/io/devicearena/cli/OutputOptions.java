package io.devicearena.cli;

import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.output.TextLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that every command has, and what it prints by them. */
final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    CommandLine command() {
        return spec.commandLine();
    }

    /** The line on a terminal that shows how far the command is. */
    ProgressLine progress() {
        return new ProgressLine(command().getErr());
    }

    /** Prints the result of a command for people. */
    interface Text {
        void print(TextLines out) throws IOException;
    }

    /** Prints the result of the command, as text or as the fields of a document. */
    void print(Consumer<JsonFields> document, Text text) throws IOException {
        PrintWriter out = command().getOut();
        if (json) {
            JsonFields fields = new JsonFields();
            document.accept(fields);
            fields.print(out);
        } else {
            text.print(new TextLines(out));
        }
        out.flush();
    }

    /** Prints why the command failed, although it did all its work. */
    void fail(String problem) {
        command().getErr().println("arena: " + problem);
    }
}
