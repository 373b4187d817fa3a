package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.SourceBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers that do wrong before an arena is opened: each is named, and the others work. */
class FaultyProvidersTest {
    private static final String SOURCE = """
            import io.devicearena.ArenaDevice;
            import io.devicearena.ArenaLimits;
            import io.devicearena.ArenaOptions;
            import io.devicearena.DeviceKind;
            import io.devicearena.MemoryPlan;
            import io.devicearena.spi.ArenaBackend;
            import io.devicearena.spi.Availability;
            import io.devicearena.spi.DeviceArenaProvider;
            import io.devicearena.spi.SpiVersion;
            import java.util.List;
            import java.util.Locale;
            import java.util.Optional;
            import java.util.Set;

            public class Faulty {
                static abstract class Base implements DeviceArenaProvider {
                    public int spiVersion() { return SpiVersion.CURRENT; }
                    public String name() { return getClass().getSimpleName().toLowerCase(Locale.ROOT); }
                    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                        throw new NoSuchMethodError("native()");
                    }
                    ArenaDevice device(String provider, int index) {
                        return new ArenaDevice(provider, index, "heap " + index, "", DeviceKind.HOST, 50,
                                new ArenaLimits(1 << 30, "longest array", 16, Long.MAX_VALUE), Set.of());
                    }
                }
                public static class Liar extends Base {
                    public Availability probe() { return new Availability.Ready(List.of(device("cpu", 0))); }
                }
                public static class Endless extends Base {
                    public Availability probe() { return probe(); }
                }
                public static class NoMemory extends Base {
                    public Availability probe() { throw new OutOfMemoryError("Cannot reserve direct memory"); }
                }
                public static class Broken extends Base {
                    static final String REASON = reason();
                    static String reason() { throw new IllegalStateException("libfoo.so is missing"); }
                    public Availability probe() { return null; }
                }
                public static class Counted extends Base {
                    private int probes;
                    public Availability probe() {
                        return new Availability.Missing("probed " + ++probes + " times in this process", "none");
                    }
                }
                public static class Two extends Base {
                    public Availability probe() {
                        return new Availability.Ready(List.of(device("two", 0), device("two", 1)));
                    }
                    public Optional<String> identity(ArenaDevice device) { return Optional.of("pci:0000:01:00.0"); }
                }
            }
            """;

    @TempDir
    static Path folder;

    private static SourceBackend backend;

    @BeforeAll
    static void compile() throws IOException {
        backend = SourceBackend.compile(
                folder,
                SOURCE,
                "Faulty$Liar",
                "Faulty$Endless",
                "Faulty$NoMemory",
                "Faulty$Broken",
                "Faulty$Counted",
                "Faulty$Two");
        Files.writeString(folder.resolve("one.csv"), "id,lower,upper,size\n1,0,2,64\n");
    }

    /** The providers are of a loader of their own each time, so none has been probed before. */
    private static Cli.Result arena(String... arguments) throws IOException {
        return backend.inProcess(arguments);
    }

    @Test
    void everyFaultIsNamed_andTheOthersAreListed() throws IOException {
        Cli.Result result = arena("providers");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains("Faulty$Liar.probe(): expected devices of provider 'liar', got device 0 'heap 0' of provider"
                        + " 'cpu'")
                .contains("Faulty$Endless.probe() threw java.lang.StackOverflowError")
                .contains("Faulty$NoMemory.probe() threw java.lang.OutOfMemoryError: Cannot reserve direct memory")
                .contains("Faulty$Broken could not be instantiated: java.lang.ExceptionInInitializerError, caused by"
                        + " java.lang.IllegalStateException: libfoo.so is missing")
                .contains("probed 1 times in this process")
                .contains("cpu: available", "two: available");
    }

    @Test
    void secondDevice_isListedAlone_withItsOtherListing() throws IOException {
        Cli.Result result = arena("providers", "--provider", "two", "--device", "1");
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains("  device 1: heap 1")
                .doesNotContain("device 0")
                .containsPattern("also listed as +two 0");
    }

    @Test
    void run_usesTheProviderThatWorks() throws IOException {
        Cli.Result result = arena("run", folder.resolve("one.csv").toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void arenaThatCannotBeOpened_isTheFaultOfItsClass() throws IOException {
        Cli.Result result = arena("run", folder.resolve("one.csv").toString(), "--provider", "two");
        assertThat(result.err())
                .isEqualTo("arena: DeviceException: Faulty$Two.open() threw java.lang.NoSuchMethodError: native(); use"
                        + " versions of arena-api and the provider that belong together"
                        + System.lineSeparator());
        assertThat(result.exitCode()).isEqualTo(1);
    }
}
