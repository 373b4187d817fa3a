package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaOverhead;
import io.devicearena.spi.Availability;
import io.devicearena.spi.SpiVersion;
import io.devicearena.testing.FakeProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicInteger;
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
                        .choose(Optional.empty(), Optional.empty())
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
                FAKE + ".probe() threw java.lang.IllegalStateException: broken",
                remedy);
        for (Error error : List.of(
                new NoClassDefFoundError("x/Y"),
                new AssertionError("odd"),
                new ServiceConfigurationError("natives"),
                new OutOfMemoryError("Cannot reserve 1 GiB of direct memory"),
                new StackOverflowError(),
                new Error("own"))) {
            assertMissing(
                    FakeProvider.answering("gpu", throwing(error)), "gpu", FAKE + ".probe() threw " + error, remedy);
        }
        assertMissing(
                FakeProvider.answering(
                        "gpu",
                        throwing(new ExceptionInInitializerError(new IllegalStateException("libfoo.so is missing")))),
                "gpu",
                FAKE
                        + ".probe() threw java.lang.ExceptionInInitializerError, caused by java.lang.IllegalStateException:"
                        + " libfoo.so is missing",
                remedy);
    }

    @Test
    void errorThatCannotDescribeItself_isNamedByItsClass() {
        Error silent = new Error() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no text");
            }
        };
        assertThat(Candidate.of(FakeProvider.answering("gpu", throwing(silent))).probe())
                .isEqualTo(new Availability.Missing(
                        FAKE + ".probe() threw " + silent.getClass().getName(),
                        "report this to the provider's author; a probe must not throw"));
    }

    @Test
    void provider_isProbedAndNamedOnce() {
        AtomicInteger names = new AtomicInteger();
        FakeProvider flaky = new FakeProvider(
                () -> "gpu" + names.getAndIncrement(),
                SpiVersion.CURRENT,
                FakeProvider.ready("gpu0", DeviceKind.DISCRETE_GPU)::probe);
        Candidate candidate = Candidate.of(flaky);
        ArenaDevice device = candidate.listed().getFirst();
        assertThat(candidate.report().name()).isEqualTo("gpu0");
        assertThat(candidate.lists(device)).isTrue();
        assertThat(candidate.report()).isEqualTo(candidate.report());
        assertThat(flaky.probes).isOne();
        assertThat(names).hasValue(1);
    }

    @Test
    void probeThatFails_isNotRepeated() {
        FakeProvider failing = FakeProvider.answering("gpu", throwing(new Error("own")));
        Candidate candidate = Candidate.of(failing);
        assertThat(candidate.probe()).isSameAs(candidate.probe());
        assertThat(failing.probes).isOne();
    }

    @Test
    void probeOfAnInterruptedThread_isRepeated_andTheInterruptIsKept() {
        FakeProvider provider = FakeProvider.missing("gpu");
        Candidate candidate = Candidate.of(provider);
        Thread.currentThread().interrupt();
        candidate.probe();
        assertThat(Thread.interrupted()).isTrue();
        candidate.probe();
        candidate.probe();
        assertThat(provider.probes).isEqualTo(2);
    }

    @Test
    void devicesOfAnotherProvider_areTheFaultOfTheOneThatListsThem() {
        assertMissing(
                FakeProvider.answering("liar", FakeProvider.ready("cpu", DeviceKind.DISCRETE_GPU)::probe),
                "liar",
                FAKE
                        + ".probe(): expected devices of provider 'liar', got device 0 'cpu DISCRETE_GPU' of provider 'cpu'",
                "report this to the provider's author");
    }

    @Test
    void deviceIsFoundByItsIndex() {
        Candidate candidate = Candidate.of(FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU, DeviceKind.ACCELERATOR));
        assertThat(candidate.listed()).allMatch(candidate::lists);
        ArenaDevice third = ((Availability.Ready)
                        FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU, DeviceKind.ACCELERATOR, DeviceKind.HOST)
                                .probe())
                .devices()
                .getLast();
        assertThat(candidate.lists(third)).isFalse();
    }

    @Test
    @SuppressWarnings("NullAway") // a provider in another language may answer so
    void factsOfOtherTypes_areLeftOut() {
        Map<String, Object> odd = new HashMap<>();
        odd.put("warps", 32L);
        odd.put("list", List.of());
        odd.put("nothing", null);
        odd.put(null, "nameless");
        cpu.facts = _ -> odd;
        assertThat(Candidate.of(cpu).facts(cpu.device(0))).containsExactly(Map.entry("warps", 32L));
        cpu.facts = _ -> null;
        assertThat(Candidate.of(cpu).facts(cpu.device(0))).isEmpty();
    }

    private static OptionalLong freeBytes(Candidate candidate, ArenaDevice device) {
        return candidate.askBytes(asked -> asked.freeBytes(device));
    }

    @Test
    void negativeFreeMemory_isUnknown() {
        cpu.freeBytes = _ -> OptionalLong.of(-1);
        assertThat(freeBytes(Candidate.of(cpu), cpu.device(0))).isEmpty();
        cpu.freeBytes = _ -> {
            throw new StackOverflowError();
        };
        assertThat(freeBytes(Candidate.of(cpu), cpu.device(0))).isEmpty();
        cpu.freeBytes = _ -> OptionalLong.of(0);
        assertThat(freeBytes(Candidate.of(cpu), cpu.device(0))).hasValue(0);
    }

    @Test
    void totalMemoryAndOverhead_ofAProviderThatFails_areUnknown() {
        ArenaDevice device = cpu.device(0);
        MemoryPlan plan = new MemoryPlan(1, Map.of(), List.of());
        ArenaOptions options = ArenaOptions.defaults();
        assertThat(Candidate.of(cpu).askBytes(asked -> asked.totalBytes(device)))
                .isEmpty();
        assertThat(Candidate.of(cpu).ask(asked -> asked.overhead(device, plan, options), ArenaOverhead.NONE))
                .isEqualTo(ArenaOverhead.NONE);
        cpu.totalBytes = _ -> OptionalLong.of(7);
        cpu.overhead = _ -> new ArenaOverhead(1, 2);
        assertThat(Candidate.of(cpu).askBytes(asked -> asked.totalBytes(device)))
                .hasValue(7);
        assertThat(Candidate.of(cpu).ask(asked -> asked.overhead(device, plan, options), ArenaOverhead.NONE))
                .isEqualTo(new ArenaOverhead(1, 2));
        cpu.totalBytes = _ -> OptionalLong.of(-7);
        cpu.overhead = _ -> {
            throw new StackOverflowError();
        };
        assertThat(Candidate.of(cpu).askBytes(asked -> asked.totalBytes(device)))
                .isEmpty();
        assertThat(Candidate.of(cpu).ask(asked -> asked.overhead(device, plan, options), ArenaOverhead.NONE))
                .isEqualTo(ArenaOverhead.NONE);
    }

    @Test
    @SuppressWarnings("NullAway") // a provider in another language may answer so
    void nullProbeIsReportedAsMissing() {
        assertMissing(
                FakeProvider.answering("gpu", () -> null),
                "gpu",
                FAKE + ".probe(): expected an answer, got null",
                "report this to the provider's author");
    }

    @Test
    @SuppressWarnings("NullAway") // a provider in another language may answer so
    void providerWithoutNameIsListedByItsClass() {
        String remedy = "report this to the provider's author";
        String expected = FAKE + ".name(): expected visible characters, got ";
        assertMissing(FakeProvider.answering(null, () -> null), FAKE, expected + "null", remedy);
        for (String name : List.of("", " ", "gpu ", "g\npu", "g\u0000", "g\u001b[2J", "g\ud800")) {
            assertMissing(FakeProvider.answering(name, () -> null), FAKE, expected + "'" + name + "'", remedy);
        }
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
                FAKE + ".name() threw java.lang.UnsupportedOperationException: no name",
                "use versions of arena-api and the provider that belong together, or remove the provider from the path");
        assertThat(provider.probes).isZero();
    }

    @Test
    void throwingSpiVersion_isReportedAsMissing() {
        FakeProvider provider = FakeProvider.ready("gpu", DeviceKind.DISCRETE_GPU);
        provider.version = () -> {
            throw new AbstractMethodError("spiVersion");
        };
        assertMissing(
                provider,
                "gpu",
                FAKE + ".spiVersion() threw java.lang.AbstractMethodError: spiVersion",
                "use versions of arena-api and the provider that belong together, or remove the provider from the path");
        assertThat(provider.probes).isZero();
    }

    @Test
    void otherSpiVersion_isReportedAndNotProbed() {
        FakeProvider provider = new FakeProvider(() -> "gpu", 7, () -> new Availability.Missing("never", "asked"));
        assertMissing(
                provider,
                "gpu",
                "it was built for version 7 of the provider SPI, and this arena-api has version " + SpiVersion.CURRENT,
                "use an arena-api that is as new as the provider");
        assertThat(provider.probes).isZero();
        assertMissing(
                new FakeProvider(() -> "gpu", 1, () -> new Availability.Missing("never", "asked")),
                "gpu",
                "it was built for version 1 of the provider SPI, and this arena-api has version " + SpiVersion.CURRENT,
                "use versions of arena-api and the provider that belong together");
    }

    @Test
    void identityAndFreeMemory_ofAProviderThatFails_areUnknown() {
        ArenaDevice device = ((Availability.Ready) cpu.probe()).devices().getFirst();
        assertThat(Candidate.of(cpu).ask(asked -> asked.identity(device), Optional.empty()))
                .isEmpty();
        cpu.identity = _ -> Optional.of("pci:0000:01:00.0");
        assertThat(Candidate.of(cpu).ask(asked -> asked.identity(device), Optional.empty()))
                .contains("pci:0000:01:00.0");
        cpu.identity = _ -> {
            throw new IllegalStateException("broken");
        };
        assertThat(Candidate.of(cpu).ask(asked -> asked.identity(device), Optional.empty()))
                .isEmpty();
        assertThat(freeBytes(Candidate.of(cpu), device)).isEmpty();
        assertThat(freeBytes(Candidate.unusable("gpu", FAKE, "broken", "none"), device))
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
                        .choose(Optional.empty(), Optional.empty())
                        .provider())
                .isSameAs(cpu);
    }
}
