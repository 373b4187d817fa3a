package com.example.spark;

import com.example.embeddings.Precision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Embeds the lines of a file. Started by spark-submit, or by itself in local mode. */
@Command(
        name = "spark-embeddings",
        mixinStandardHelpOptions = true,
        version = "spark-embeddings 1.0",
        description = "Writes a Parquet folder: for each line of a file, the line and its vector.")
public final class Main implements Callable<Integer> {
    @Option(names = "--model", required = true, paramLabel = "FOLDER", description = "Has model.safetensors and vocab.txt,"
            + " on each machine.")
    private Path model = Path.of("model");

    @Option(names = "--texts", required = true, paramLabel = "FILE", description = "A text a line.")
    private String texts = "";

    @Option(names = "--output", required = true, paramLabel = "FOLDER", description = "Must not be there yet.")
    private String output = "";

    @Option(names = "--partitions", paramLabel = "N", description = "The tasks of the job; default: ${DEFAULT-VALUE}.")
    private int partitions = 8;

    @Option(names = "--provider", paramLabel = "NAME", description = "Of the arenas: cpu or wgpu; default: the best.")
    private String provider = "";

    @Option(names = "--precision", paramLabel = "P", description = "Of the matrices: ${COMPLETION-CANDIDATES}.")
    private Precision precision = Precision.F32;

    private Main() {}

    /**
     * Runs the job and ends the process: with code 0, or with 2 and one line of what is wrong.
     *
     * @param args {@code --help} lists the options
     */
    public static void main(String[] args) {
        CommandLine command = new CommandLine(new Main());
        command.setExecutionExceptionHandler((e, line, parsed) -> {
            line.getErr().println("spark-embeddings: " + Faults.line(e));
            return 2;
        });
        System.exit(command.execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (partitions < 1) {
            throw new IllegalArgumentException("--partitions: expected 1 or more, got " + partitions);
        }
        SparkSession.Builder builder = SparkSession.builder()
                .appName("spark-embeddings")
                .config("spark.plugins", ArenaPlugin.class.getName())
                .config(EngineSettings.MODEL, model.toAbsolutePath().toString())
                .config(EngineSettings.PRECISION, precision.name());
        if (!provider.isEmpty()) {
            builder.config(EngineSettings.PROVIDER, provider);
        }
        if (System.getProperty("spark.master") == null) {
            builder.master("local[*]").config("spark.ui.enabled", false);
        }
        try (SparkSession spark = builder.getOrCreate()) {
            long begin = System.nanoTime();
            Dataset<Row> lines = spark.read().text(texts).repartition(partitions);
            TextColumn.embed(lines, "value").write().mode(SaveMode.ErrorIfExists).parquet(output);
            double seconds = (System.nanoTime() - begin) * 1e-9;
            long rows = spark.read().parquet(output).count();
            System.out.printf("embedded %,d texts in %.1f s, %,.0f texts/s%n", rows, seconds, rows / seconds);
        }
        return 0;
    }
}
