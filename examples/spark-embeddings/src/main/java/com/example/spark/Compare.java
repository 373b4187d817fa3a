package com.example.spark;

import java.io.IOException;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Compares two outputs of {@link Main} bit by bit. */
public final class Compare {
    private Compare() {}

    /**
     * Prints how many rows are equal and how many are not, and ends the process: with code 0 if all are equal, else 1.
     *
     * @param folders two folders that {@link Main} wrote
     * @throws IOException if the session cannot be ended
     */
    public static void main(String[] folders) throws IOException {
        if (folders.length != 2) {
            System.err.println("compare: expected two folders, got " + folders.length);
            System.exit(2);
        }
        try (SparkSession spark = SparkSession.builder()
                .appName("compare")
                .master("local[*]")
                .config("spark.ui.enabled", false)
                .getOrCreate()) {
            Dataset<Row> a = spark.read().parquet(folders[0]);
            Dataset<Row> b = spark.read().parquet(folders[1]);
            long onlyA = a.exceptAll(b).count();
            long onlyB = b.exceptAll(a).count();
            long rows = a.count();
            System.out.printf(
                    Locale.ROOT, "compared %,d rows: %,d differ%n", rows, Math.max(onlyA, onlyB));
            System.exit(onlyA + onlyB == 0 && rows > 0 ? 0 : 1);
        }
    }
}
