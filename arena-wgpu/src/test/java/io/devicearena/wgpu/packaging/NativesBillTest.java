package io.devicearena.wgpu.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.internal.loading.LibraryVersion;
import io.devicearena.wgpu.testing.ChildProcess;
import io.devicearena.wgpu.testing.PackagingPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build step that adds the native library to the bill of materials. */
@Tag("slow")
class NativesBillTest {
    private static final Path SOURCES = Path.of("src/packaging");
    private static final Pattern HASH = Pattern.compile("\"content\" : \"([0-9a-f]{64})\"");
    private static final String LIBRARY = "pkg:github/gfx-rs/wgpu-native@v" + LibraryVersion.OF_BINDINGS;

    /** The lines of a bill that the step looks for. */
    private static final String BILL = """
            {
              "metadata" : {
                "tools" : {
                  "components" : [
                    { "name" : "a tool" }
                  ]
                }
              },
              "components" : [
                { "name" : "arena-api" }
              ],
              "dependencies" : [
                {
                  "ref" : "pkg:maven/io.devicearena/arena-wgpu@1?type=jar",
                  "dependsOn" : [
                    "pkg:maven/io.devicearena/arena-api@1?type=jar"
                  ]
                }
              ]
            }
            """;

    @TempDir
    static Path programs;

    @TempDir
    Path folder;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        PackagingPrograms.compile(programs);
    }

    private ChildProcess.Result add(Path bill) throws IOException, InterruptedException {
        return ChildProcess.java(
                folder,
                Map.of(),
                List.of("-cp", programs.toString(), "NativesBill", SOURCES.toString(), bill.toString()));
    }

    @Test
    void bill_hasTheLibraryWithTheDigestsOfItsFiles_andAllThatWasThere() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("bom.json"), BILL);
        ChildProcess.Result result = add(file);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        String bill = Files.readString(file);
        List<String> digests = Files.readAllLines(SOURCES.resolve("wheels.tsv")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", -1)[5])
                .toList();
        assertThat(HASH.matcher(bill).results().map(MatchResult::group)).hasSize(6);
        assertThat(digests).hasSize(6).allSatisfy(digest -> assertThat(bill).contains("\"" + digest + "\""));
        assertThat(bill)
                .contains("\"bom-ref\" : \"" + LIBRARY + "\"", "\"ref\" : \"" + LIBRARY + "\"")
                .contains("\"dependsOn\" : [\n        \"" + LIBRARY + "\",\n")
                .contains("    { \"name\" : \"a tool\" }\n", "    { \"name\" : \"arena-api\" }\n")
                .contains("        \"pkg:maven/io.devicearena/arena-api@1?type=jar\"\n");
    }

    @Test
    void bill_thatIsNone_isAnError() throws IOException, InterruptedException {
        Path missing = folder.resolve("bom.json");
        assertThat(add(missing).err()).contains(missing + ": expected a bill of materials, found none");
        assertThat(add(Files.writeString(missing, "{}")).err())
                .contains(missing + ": expected a list behind")
                .contains("components");
        assertThat(missing).hasContent("{}");
    }
}
