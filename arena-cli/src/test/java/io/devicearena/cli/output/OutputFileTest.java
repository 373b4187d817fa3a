package io.devicearena.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that a command writes: no file of the user is lost, and an unwritable one is rejected before the work. */
class OutputFileTest {
    private static final String TABLE = "id,lower,upper,size\n0,0,2,100\n1,1,3,50\n";
    private static final String PLAN = "id,lower,upper,size,offset\n0,0,2,100,0\n1,1,3,50,100\n";

    @TempDir
    Path folder;

    private Path csv = Path.of("");

    @BeforeEach
    void writeTable() throws IOException {
        csv = Files.writeString(folder.resolve("in.csv"), TABLE);
    }

    private static void assertRejected(String message, String... args) {
        Cli.Result result = Cli.run(args);
        assertThat(result.err()).isEqualTo("arena: " + message + System.lineSeparator());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** A program that ends while it writes. */
    static final class EndsWhileWriting {
        private EndsWhileWriting() {}

        public static void main(String[] args) throws IOException {
            OutputFile.of("--out", Path.of(args[0])).write(target -> {
                target.write("half");
                target.flush();
                System.exit(3); // like a signal: hooks run, finally blocks do not
            });
        }
    }

    @Nested
    class OtherFiles {
        @ParameterizedTest
        @ValueSource(strings = {"--out", "--html"})
        void inputIsNeverOverwritten(String option) throws IOException {
            Path inner = Files.createDirectory(folder.resolve("inner"));
            Path link = Files.createSymbolicLink(folder.resolve("link.csv"), csv);
            Path twin = Files.createLink(folder.resolve("twin.csv"), csv);
            for (Path same : List.of(csv, inner.resolve("../in.csv"), link, twin)) {
                assertRejected(
                        option + ": expected another file than the input, got '" + same + "'; name another one",
                        "plan",
                        csv.toString(),
                        option,
                        same.toString());
                assertRejected(
                        option + ": expected another file than the input, got '" + same + "'; name another one",
                        "run",
                        csv.toString(),
                        option,
                        same.toString());
            }
            assertThat(csv).hasContent(TABLE);
        }

        @Test
        void backwardGraphIsNeverOverwritten() throws IOException {
            Path backward = Files.writeString(folder.resolve("b.graph.json"), "{}");
            assertRejected(
                    "--html: expected another file than the backward graph, got '" + backward + "'; name another one",
                    "plan",
                    csv.toString(),
                    "--backward",
                    backward.toString(),
                    "--html",
                    backward.toString());
            assertThat(backward).hasContent("{}");
        }

        @Test
        void tableAndPageMustDiffer() throws IOException {
            Files.createSymbolicLink(folder.resolve("link"), folder);
            Path out = folder.resolve("both");
            Path html = folder.resolve("link").resolve("both");
            assertRejected(
                    "--html: expected another file than that of --out, got '" + html + "'; name another one",
                    "plan",
                    csv.toString(),
                    "--out",
                    out.toString(),
                    "--html",
                    html.toString());
            assertThat(names()).containsExactly("in.csv", "link");
        }

        @Test
        void otherFilesInTheFolderStay() throws IOException {
            Path mine = Files.writeString(folder.resolve("x.csv.part"), "mine");
            Files.createDirectory(folder.resolve("z.csv.part"));
            for (String name : List.of("x.csv", "z.csv")) {
                Path out = folder.resolve(name);
                assertThat(Cli.run("plan", csv.toString(), "--out", out.toString())
                                .exitCode())
                        .isZero();
                assertThat(out).hasContent(PLAN);
            }
            assertThat(mine).hasContent("mine");
            assertThat(names()).containsExactly("in.csv", "x.csv", "x.csv.part", "z.csv", "z.csv.part");
        }
    }

    @Nested
    class Rejected {
        @Test
        void unwritableFileIsRejectedBeforeAnythingIsWritten() throws IOException {
            Path ok = folder.resolve("ok.csv");
            String tooLong = folder.resolve("x".repeat(300)).toString();
            String notThere = folder.resolve("none").toString();
            for (String[] bad : new String[][] {
                {"", "expected the name of a file, got an empty one"},
                {folder.toString(), "expected a file, got the folder '" + folder + "'; name a file in it"},
                {
                    notThere + "/x",
                    "expected an existing folder, got '" + notThere + "', which does not exist; create it first"
                },
                {csv + "/x", "expected an existing folder, got '" + csv + "', which is a file; name a folder"},
                {tooLong, "'" + tooLong.substring(0, 200) + "…' cannot be written: file name too long; name another one"
                },
            }) {
                assertRejected("--html: " + bad[1], "plan", csv.toString(), "--out", ok.toString(), "--html", bad[0]);
            }
            assertThat(names()).containsExactly("in.csv");
        }

        @Test
        void linkToItselfIsRejected() throws IOException {
            Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
            assertRejected(
                    "--out: '" + loop + "' cannot be written: a loop of links; name another one",
                    "plan",
                    csv.toString(),
                    "--out",
                    loop.toString());
        }

        @Test
        void readOnlyFileIsRejected() throws IOException {
            Path old = Files.writeString(folder.resolve("old.csv"), "old");
            assumeTrue(old.toFile().setReadOnly() && !Files.isWritable(old), "a user whom permissions bind");
            assertRejected(
                    "--out: expected a writable file, got '" + old + "', which is read-only; name another one",
                    "plan",
                    csv.toString(),
                    "--out",
                    old.toString());
            assertThat(old).hasContent("old");
        }
    }

    @Nested
    class Written {
        @Test
        void linkIsFollowed() throws IOException {
            Path real = Files.writeString(folder.resolve("real.csv"), "old");
            Path link = Files.createSymbolicLink(folder.resolve("link.csv"), Path.of("real.csv"));
            Path dangling = Files.createSymbolicLink(folder.resolve("dangling.csv"), Path.of("new.csv"));
            for (Path out : List.of(link, dangling)) {
                assertThat(Cli.run("plan", csv.toString(), "--out", out.toString())
                                .err())
                        .isEmpty();
                assertThat(out).isSymbolicLink().hasContent(PLAN);
            }
            assertThat(real).hasContent(PLAN);
            assertThat(folder.resolve("new.csv")).hasContent(PLAN);
        }

        @Test
        void permissionsOfTheOldFileAreKept() throws IOException {
            assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"), "POSIX permissions");
            Path old = Files.writeString(folder.resolve("old.csv"), "old");
            Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r-----"));
            Path fresh = folder.resolve("fresh.csv");
            for (Path out : List.of(old, fresh)) {
                assertThat(Cli.run("plan", csv.toString(), "--out", out.toString())
                                .exitCode())
                        .isZero();
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
                    .isEqualTo("rw-r-----");
            assertThat(Files.getPosixFilePermissions(fresh)).isEqualTo(Files.getPosixFilePermissions(csv));
        }

        @Test
        void failedWriteKeepsTheOldFile() throws IOException {
            Path old = Files.writeString(folder.resolve("old.csv"), "old");
            OutputFile output = OutputFile.of("--out", old);
            assertThatThrownBy(() -> output.write(target -> {
                        target.write("half");
                        throw new IOException("No space left on device");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("--out: writing '" + old + "' failed: no space left on device; name another file");
            assertThat(old).hasContent("old");
            assertThat(names()).containsExactly("in.csv", "old.csv");
        }

        @Test
        void endedProcessLeavesNoPartialFile() throws IOException, InterruptedException, URISyntaxException {
            Path classes = Path.of(EndsWhileWriting.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            ChildProcess.Result result = ChildProcess.java(
                    folder,
                    List.of(
                            "-cp",
                            classes + File.pathSeparator + ChildProcess.runtimePath(),
                            EndsWhileWriting.class.getName(),
                            folder.resolve("x.csv").toString()));
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(names()).filteredOn(name -> name.endsWith(".part")).isEmpty();
            assertThat(folder.resolve("x.csv")).doesNotExist();
        }
    }
}
