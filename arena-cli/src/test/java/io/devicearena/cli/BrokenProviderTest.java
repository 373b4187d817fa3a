package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.SourceBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A third-party provider that loses a byte: it is found on the class path, chosen, and fails the verification. */
class BrokenProviderTest {
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

            public class Forgetful implements DeviceArenaProvider {
                public int spiVersion() { return SpiVersion.CURRENT; }
                public String name() { return "forgetful"; }
                public Availability probe() {
                    return new Availability.Ready(List.of(new ArenaDevice("forgetful", 0, "sieve", "loses the last byte",
                            DeviceKind.DISCRETE_GPU, 400, new ArenaLimits(1 << 30, "sieve size", 16, 1 << 30), Set.of())));
                }
                public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                    ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
                    byte[] bytes = new byte[(int) geometry.sizeBytes()];
                    MemorySegment memory = MemorySegment.ofArray(bytes);
                    return new ArenaBackend() {
                        public void write(long offset, MemorySegment source) {
                            MemorySegment.copy(source, 0, memory, offset, source.byteSize() - 1);
                        }
                        public void read(long offset, MemorySegment destination) {
                            MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
                        }
                    };
                }
            }
            """;

    @TempDir
    Path folder;

    private SourceBackend backend;

    @BeforeEach
    void compile() throws IOException {
        backend = SourceBackend.compile(folder, SOURCE, "Forgetful");
        Files.writeString(folder.resolve("one.csv"), "id,lower,upper,size\n1,0,2,64\n");
    }

    private ChildProcess.Result arena(String... arguments) throws IOException, InterruptedException {
        return backend.arena(List.of(), arguments);
    }

    @Test
    void lostByteFailsTheRun() throws IOException, InterruptedException {
        ChildProcess.Result result =
                arena("run", folder.resolve("one.csv").toString(), "--json", "--provider", "forgetful");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("arena: VerificationException: node 1: expected byte 63 of its slot at offset 0 to be 0x");
        assertThat(result.out()).contains("\"provider\" : \"forgetful\"").contains("\"ok\" : false");
    }

    @Test
    void cpuStillWorks() throws IOException, InterruptedException {
        ChildProcess.Result result = arena("run", folder.resolve("one.csv").toString(), "--provider", "cpu");
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }
}
