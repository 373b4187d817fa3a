package io.devicearena.cli;

import picocli.CommandLine.Option;

/** The options that every command has. */
final class OutputOptions {
    @Option(names = "--json", description = "Print one JSON document on standard output.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;
}
