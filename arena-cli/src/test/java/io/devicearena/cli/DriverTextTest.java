package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.SourceBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that puts control characters into its texts: no command prints one of them. */
class DriverTextTest {
    private static final String SOURCE = """
            import io.devicearena.ArenaDevice;
            import io.devicearena.ArenaLimits;
            import io.devicearena.ArenaOptions;
            import io.devicearena.DeviceKind;
            import io.devicearena.MemoryPlan;
            import io.devicearena.spi.ArenaBackend;
            import io.devicearena.spi.ArenaGeometry;
            import io.devicearena.spi.Availability;
            import io.devicearena.spi.DeviceArenaProvider;
            import io.devicearena.spi.SpiVersion;
            import java.lang.foreign.MemorySegment;
            import java.util.List;
            import java.util.Set;

            public class Painted implements DeviceArenaProvider {
                private static final String RED = "\\u001b[31mred\\u009b\\u202e\\nnext\\u007f";
                public int spiVersion() { return SpiVersion.CURRENT; }
                public String name() { return "painted"; }
                public Availability probe() {
                    return new Availability.Ready(List.of(new ArenaDevice("painted", 0, "name " + RED, "about " + RED,
                            DeviceKind.HOST, 1, new ArenaLimits(1 << 22, "limit " + RED, 16, 1 << 22), Set.of())));
                }
                public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                    if (Boolean.getBoolean("painted.broken")) {
                        throw new IllegalStateException("broken " + RED);
                    }
                    if (!device.provider().equals(name())) {
                        throw new IllegalArgumentException("device: expected mine, got " + device);
                    }
                    ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
                    byte[] bytes = new byte[(int) geometry.sizeBytes()];
                    MemorySegment memory = MemorySegment.ofArray(bytes);
                    return new ArenaBackend() {
                        public void write(long offset, MemorySegment source) {
                            MemorySegment.copy(source, 0, memory, offset, source.byteSize());
                        }
                        public void read(long offset, MemorySegment destination) {
                            MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
                        }
                    };
                }
            }
            """;

    private static final String PROGRESS = "devicearena.progress";

    @TempDir
    static Path folder;

    private static SourceBackend painted;

    @BeforeAll
    static void compile() throws IOException {
        painted = SourceBackend.compile(folder, SOURCE, "Painted");
        System.setProperty(PROGRESS, "true");
    }

    @AfterAll
    static void clear() {
        System.clearProperty(PROGRESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "providers",
                "providers --json",
                "providers --device 7",
                "run CSV",
                "run CSV --json",
                "run CSV --device 7",
                "run BIG",
                "load WEIGHTS",
                "load WEIGHTS --json"
            })
    void controlCharactersAreEscaped(String command) throws IOException {
        Path csv = Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size\n1,0,2,64\n2,1,3,32\n");
        Path big = Files.writeString(folder.resolve("big.csv"), "id,lower,upper,size\n1,0,2,9999999\n");
        Path weights = Files.writeString(
                folder.resolve("one.safetensors"),
                "5\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}ab");
        Cli.Result result = painted.inProcess((command + " --provider painted")
                .replace("CSV", csv.toString())
                .replace("BIG", big.toString())
                .replace("WEIGHTS", weights.toString())
                .split(" ", -1));
        assertEscaped(result.out(), result.err());
    }

    /** The kit, of a driver that refuses each arena: it says so for each clause, and has nothing more to do. */
    @Test
    void controlCharactersOfFailuresAreEscaped() throws IOException, InterruptedException {
        ChildProcess.Result result = painted.arena(
                List.of("-Dpainted.broken=true", "-D" + PROGRESS + "=true"),
                List.of(
                        List.of("conformance", "--provider", "painted"),
                        List.of("conformance", "--provider", "painted", "--json")));
        int second = result.out().indexOf("{\n");
        assertThat(second).isPositive();
        for (String out :
                List.of(result.out().substring(0, second), result.out().substring(second))) {
            assertEscaped(out, result.err());
            assertThat(out).contains("broken ");
        }
    }

    private static void assertEscaped(String out, String err) {
        // the progress line returns to its start
        for (String text : List.of(out, err.replace("\r", ""))) {
            assertThat(text.replace(System.lineSeparator(), "")).doesNotContainPattern("[\\p{Cc}\\u202e]");
        }
        assertThat(out + err)
                .containsIgnoringCase("\\u001b[31mred\\u009b\\u202e")
                .doesNotContain("at io.");
    }
}
