package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.spi.Availability;
import io.devicearena.spi.SpiVersion;
import io.devicearena.testing.FakeProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Whatever one provider does, it becomes an answer, and the others live. */
class CandidateTest {
    private static final String FAKE = "io.devicearena.testing.FakeProvider";
    private final FakeProvider cpu = FakeProvider.ready("cpu", DeviceKind.HOST);

    private static Supplier<Availability> throwing(Error error) {
        return () -> {
            throw error;
        };
    }

    /** What is answered for a provider that stands beside a sound one. */
    private void assertMissing(FakeProvider provider, String name, String reason, String remedy) {
        List<Candidate> all = ProviderLoader.withoutDuplicates(List.of(Candidate.of(provider), Candidate.of(cpu)));
        assertThat(all.getFirst().report())
                .isEqualTo(new ProviderReport(name, FAKE, new Availability.Missing(reason, remedy)));
        assertThat(new ProviderChoice(all)
                        .choose(Optional.empty(), Optional.empty(), DeviceArena.class)
                        .provider())
                .isSameAs(cpu);
    }

    @Test
    void throwingProbeIsReportedAsMissing() {
        String remedy = "report this to the provider's author; a probe must not throw";
        assertMissing(
                FakeProvider.answering("gpu", () -> {
                    throw new IllegalStateException("broken");
                }),
                "gpu",
                "its probe threw java.lang.IllegalStateException: broken",
                remedy);
        for (Error error : List.of(
                new NoClassDefFoundError("x/Y"),
                new AssertionError("odd"),
                new ServiceConfigurationError("natives"),
                new Error("own"))) {
            assertMissing(FakeProvider.answering("gpu", throwing(error)), "gpu", "its probe threw " + error, remedy);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // a provider in another language may answer so
    void nullProbeIsReportedAsMissing() {
        assertMissing(
                FakeProvider.answering("gpu", () -> null),
                "gpu",
                "its probe returned null",
                "report this to the provider's author");
    }

    @Test
    @SuppressWarnings("NullAway") // a provider in another language may answer so
    void providerWithoutNameIsListedByItsClass() {
        String remedy = "report this to the provider's author";
        assertMissing(FakeProvider.answering(null, () -> null), FAKE, "its name is null", remedy);
        assertMissing(FakeProvider.answering(" ", () -> null), FAKE, "its name is blank", remedy);
    }

    @Test
    void throwingNameIsReportedAsMissing() {
        FakeProvider provider = new FakeProvider(
                () -> {
                    throw new UnsupportedOperationException("no name");
                },
                SpiVersion.CURRENT,
                () -> new Availability.Missing("never", "asked"));
        assertMissing(
                provider,
                FAKE,
                "its name and SPI version could not be read: java.lang.UnsupportedOperationException: no name",
                "use versions of arena-api and the provider that belong together, or remove the provider from the path");
        assertThat(provider.probes).isZero();
    }

    @Test
    void otherSpiVersion_isReportedAndNotProbed() {
        FakeProvider provider = new FakeProvider(() -> "gpu", 7, () -> new Availability.Missing("never", "asked"));
        assertMissing(
                provider,
                "gpu",
                "it was built for version 7 of the provider SPI, and this arena-api has versions 1 to 2",
                "use an arena-api that is as new as the provider");
        assertThat(provider.probes).isZero();
        assertMissing(
                new FakeProvider(() -> "gpu", 0, () -> new Availability.Missing("never", "asked")),
                "gpu",
                "it was built for version 0 of the provider SPI, and this arena-api has versions 1 to 2",
                "use versions of arena-api and the provider that belong together");
    }

    @Test
    void providerOfAnOlderSpiVersion_isUsed() {
        FakeProvider old = new FakeProvider(() -> "gpu", 1, FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU)::probe);
        assertThat(new ProviderChoice(List.of(Candidate.of(old), Candidate.of(cpu)))
                        .choose(Optional.empty(), Optional.empty(), DeviceArena.class)
                        .provider())
                .isSameAs(old);
    }

    @Test
    void identityAndFreeMemory_ofAProviderThatFails_areUnknown() {
        ArenaDevice device = ((Availability.Ready) cpu.probe()).devices().getFirst();
        assertThat(Candidate.of(cpu).identity(device)).isEmpty();
        cpu.identity = _ -> Optional.of("pci:0000:01:00.0");
        assertThat(Candidate.of(cpu).identity(device)).contains("pci:0000:01:00.0");
        cpu.identity = _ -> {
            throw new IllegalStateException("broken");
        };
        assertThat(Candidate.of(cpu).identity(device)).isEmpty();
        assertThat(Candidate.of(cpu).freeBytes(device)).isEmpty();
        assertThat(Candidate.unusable("gpu", FAKE, "broken", "none").freeBytes(device))
                .isEmpty();
    }

    @Test
    void providersOfOneNameAreAllReportedAndNoneIsUsed() {
        FakeProvider old = new FakeProvider(() -> "gpu", 0, () -> new Availability.Missing("never", "asked"));
        List<Candidate> all = ProviderLoader.withoutDuplicates(List.of(
                Candidate.of(old),
                Candidate.of(FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU)),
                Candidate.of(cpu),
                Candidate.of(FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU))));
        Availability doubled = new Availability.Missing(
                "several providers have this name: " + FAKE + " and " + FAKE, "keep one of them on the path");
        assertThat(all).extracting(Candidate::name).containsExactly("gpu", "gpu", "cpu", "gpu");
        assertThat(all.get(1).probe()).isEqualTo(doubled);
        assertThat(all.get(3).probe()).isEqualTo(doubled);
        assertThat(new ProviderChoice(all)
                        .choose(Optional.empty(), Optional.empty(), DeviceArena.class)
                        .provider())
                .isSameAs(cpu);
    }
}
