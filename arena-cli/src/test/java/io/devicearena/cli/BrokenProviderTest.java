package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.SourceBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void lostByteFailsTheRun_andCpuStillWorks() throws IOException, InterruptedException {
        String buffers = Files.writeString(folder.resolve("one.csv"), "id,lower,upper,size\n1,0,2,64\n")
                .toString();
        ChildProcess.Result result = SourceBackend.compile(folder, SOURCE, "Forgetful")
                .arena(
                        List.of(),
                        List.of(
                                List.of("run", buffers, "--json", "--provider", "forgetful"),
                                List.of("run", buffers, "--provider", "cpu")));
        assertThat(result.err())
                .startsWith("arena: VerificationException: node 1: expected byte 63 of its slot at offset 0 to be 0x")
                .endsWith("\nexit code 1\nexit code 0\n")
                .hasLineCount(3);
        assertThat(result.out())
                .contains("\"provider\" : \"forgetful\"")
                .contains("\"ok\" : false")
                .contains("each equal to what was written");
    }
}
