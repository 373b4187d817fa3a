package io.devicearena.bench.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpeedTableTest {
    private static final SpeedRow READ = new SpeedRow("read", "wgpu", 1 << 20, 100, 90, 130, 77, 0);

    private final List<SpeedRow> rows = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    private static Path document(Path folder, String name, SpeedRow... rows) throws IOException {
        Path file = folder.resolve(name);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            SpeedTablePrinter printer = new SpeedTablePrinter(out, true, ReferenceFigures.none());
            List.of(rows).forEach(printer::row);
            printer.end();
        }
        return file;
    }

    @Nested
    class Measurement {
        @Test
        void everyCaseIsMeasuredOnceAtEachSize() {
            new SpeedTable(Pace.QUICK, List.of(16L, 64L), name -> true, rows::add, skipped::add).measure("cpu");

            assertThat(rows)
                    .extracting(row -> row.caseName() + " " + row.bytes())
                    .containsExactly(
                            "write, flushed 16",
                            "write, then read 16",
                            "read 16",
                            "read into array 16",
                            "read, begun and awaited 16",
                            "mapped view 16",
                            "write, flushed 64",
                            "write, then read 64",
                            "read 64",
                            "read into array 64",
                            "read, begun and awaited 64",
                            "mapped view 64",
                            "write 64 bytes, aligned 64",
                            "write 64 bytes, at odd offsets 64",
                            "16 outputs, neighbours 65536",
                            "16 outputs, scattered 65536",
                            "16 outputs, one by one 65536");
            assertThat(rows).allSatisfy(row -> {
                assertThat(row.provider()).isEqualTo("cpu");
                assertThat(row.iterations()).isGreaterThanOrEqualTo(Pace.QUICK.minCalls());
                assertThat(row.p10Micros()).isPositive().isLessThanOrEqualTo(row.medianMicros());
                assertThat(row.medianMicros()).isLessThanOrEqualTo(row.p90Micros());
            });
        }

        @Test
        void unsupportedCaseIsReportedOnceWithTheReason() {
            new SpeedTable(Pace.QUICK, List.of(16L, 64L), name -> name.contains("shadow"), rows::add, skipped::add)
                    .measure("cpu");

            assertThat(rows).isEmpty();
            assertThat(skipped).containsExactly("cpu: writes with shadow: not measured: no F16_SHADOW on host memory");
        }

        @Test
        void sizesAreMultiplesOfEight() {
            assertThatThrownBy(
                            () -> new SpeedTable(Pace.QUICK, List.of(16L, 12L), name -> true, rows::add, skipped::add))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("bytes: expected a multiple of 8 from 8 up, got 12");
        }

        @Test
        void timingGivesMedianAndPercentiles() {
            Timing timing = new Timing(new long[] {9_000, 1_000, 5_000, 3_000, 7_000, 11_000, 0, 0}, 6, 12);

            assertThat(timing.micros(0.5)).isEqualTo(7);
            assertThat(timing.micros(0.1)).isEqualTo(3);
            assertThat(timing.micros(0.9)).isEqualTo(11);
            assertThat(timing.heapBytesPerCall()).isEqualTo(2);
        }

        @Test
        void stopwatchPausesAfterEachBurstAndCountsHeapBytes() {
            List<String> events = new ArrayList<>();
            AtomicLong clock = new AtomicLong();
            byte[][] taken = new byte[1][];
            Timing timing = new Stopwatch(Pace.QUICK, () -> clock.addAndGet(1_000_000))
                    .time(
                            () -> {
                                taken[0] = new byte[1 << 20];
                                if (events.size() < 8) {
                                    events.add("call");
                                }
                            },
                            3,
                            () -> {
                                if (events.size() < 8) {
                                    events.add("pause");
                                }
                            });

            assertThat(events).containsExactly("call", "call", "call", "pause", "call", "call", "call", "pause");
            assertThat(timing.heapBytesPerCall()).isBetween(1048576.0, 1.1 * 1048576);
        }
    }

    @Nested
    class Reference {
        @Test
        void referenceIsTheBestMedianOfTheFastestVariant(@TempDir Path folder) throws IOException {
            Path file = Files.writeString(folder.resolve("theirs.jsonl"), """
                            {"case":"info","adapter":"some GPU","limits":{"a":[1]}}
                            {"case":"read_f32_fresh_1MiB","bytes":1048576,"median_us":124.5,"p10_us":1.0}
                            {"case":"read_f32_pooled_1MiB","bytes":1048576,"median_us":80.5,"p10_us":1.0}

                            {"case":"read_f32_pooled_1MiB","bytes":1048576,"median_us":60.5,"p10_us":1.0}
                            """);
            ReferenceFigures figures = ReferenceFigures.read(file);

            assertThat(figures.microsOf(READ)).hasValue(60.5);
            assertThat(figures.microsOf(new SpeedRow("mapped view", "wgpu", 1 << 20, 1, 1, 1, 1, 0)))
                    .isEmpty();
            assertThat(figures.microsOf(new SpeedRow("read", "wgpu", 4096, 1, 1, 1, 1, 0)))
                    .isEmpty();
        }

        @Test
        void referenceThatIsNotJsonIsRejectedWithItsLine(@TempDir Path folder) throws IOException {
            Path file = Files.writeString(folder.resolve("theirs.jsonl"), "{\"case\":\"info\"}\n42\n");

            assertThatThrownBy(() -> ReferenceFigures.read(file))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(file + ", line 2: expected a JSON object, got '42'");
        }

        @Test
        void tablePrintsReferenceAndRatio(@TempDir Path folder) throws IOException {
            Path file = Files.writeString(
                    folder.resolve("theirs.jsonl"), "{\"case\":\"read_f32_fresh_1MiB\",\"median_us\":200.0}\n");
            StringWriter text = new StringWriter();
            SpeedTablePrinter printer =
                    new SpeedTablePrinter(new PrintWriter(text), false, ReferenceFigures.read(file));
            printer.head();
            printer.row(READ);
            printer.row(new SpeedRow("mapped view", "wgpu", 64 << 20, 12_345.6, 1, 20_000, 9, 200.04));

            assertThat(text.toString().lines())
                    .containsExactly(
                            "case                              provider      bytes   median µs      p10 µs      p90 µs     GB/s"
                                    + "    calls    heap B  reference µs   ratio",
                            "read                              wgpu        1048576      100.00       90.00      130.00    10.49"
                                    + "       77       0.0        200.00    0.50",
                            "mapped view                       wgpu       67108864       12346        1.00       20000     5.44"
                                    + "        9     200.0");
        }
    }

    @Nested
    class Json {
        @Test
        void rowsArePrintedAsOneJsonDocument() throws IOException {
            StringWriter text = new StringWriter();
            PrintWriter out = new PrintWriter(text);
            SpeedTablePrinter printer = new SpeedTablePrinter(out, true, ReferenceFigures.none());
            printer.head();
            printer.row(READ);
            printer.end();

            assertThat(text.toString().replaceAll("\\s+", ""))
                    .isEqualTo("[{\"case\":\"read\",\"provider\":\"wgpu\","
                            + "\"bytes\":1048576,\"medianMicros\":100.0,\"p10Micros\":90.0,\"p90Micros\":130.0,\"iterations\":77,"
                            + "\"heapBytesPerCall\":0.0}]");
        }

        @Test
        void bestMedianOfEarlierRunsIsKept(@TempDir Path folder) throws IOException {
            SpeedRow slower = new SpeedRow("read", "wgpu", 1 << 20, 150, 80, 200, 50, 0.5);
            SpeedRow other = new SpeedRow("read", "wgpu", 4096, 20.25, 19, 22, 900, 0);

            assertThat(EarlierRows.best(
                            List.of(document(folder, "1.json", slower, other), document(folder, "2.json", READ))))
                    .containsExactly(READ, other);
        }

        @Test
        void wrongEarlierRunIsRejectedWithItsFile(@TempDir Path folder) throws IOException {
            Path rowless = Files.writeString(folder.resolve("a.json"), "{\"case\": 1}");
            Path incomplete = Files.writeString(folder.resolve("b.json"), "[{\"case\": \"read\"}]");
            Path noJson = Files.writeString(folder.resolve("c.json"), "[}");

            assertThatThrownBy(() -> EarlierRows.best(List.of(rowless)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(rowless + ": expected an array of rows, got another document");
            assertThatThrownBy(() -> EarlierRows.best(List.of(incomplete)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(incomplete + ": expected a field 'provider' in {case=read}");
            assertThatThrownBy(() -> EarlierRows.best(List.of(noJson)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(noJson + ": expected JSON, got Unexpected close marker '}'");
        }
    }
}
