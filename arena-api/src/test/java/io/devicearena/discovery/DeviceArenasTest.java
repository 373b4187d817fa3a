package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceException;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.Settings;
import io.devicearena.testing.ByteArrayBackend;
import io.devicearena.testing.ByteArrayProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceArenasTest {
    private static final ArenaOptions ANY = ArenaOptions.defaults();
    private static final MemoryPlan EMPTY = new MemoryPlan(0, Map.of(), List.of());

    private static Settings settings(String property, String variable) {
        return Settings.of(
                Map.of(DeviceArenas.PROVIDER_PROPERTY, property), Map.of(DeviceArenas.PROVIDER_VARIABLE, variable));
    }

    @Test
    void callerThenPropertyThenVariableChoose() {
        assertThat(DeviceArenas.wantedProvider(ANY.withProvider("mine"), settings("property", "variable")))
                .contains("mine");
        assertThat(DeviceArenas.wantedProvider(ANY, settings("property", "variable")))
                .contains("property");
        assertThat(DeviceArenas.wantedProvider(ANY, settings("", "variable"))).contains("variable");
        assertThat(DeviceArenas.wantedProvider(ANY, settings("", ""))).isEmpty();
    }

    @Test
    void blankNamesCountAsUnsetAndOthersAreStripped() {
        assertThat(DeviceArenas.wantedProvider(ANY, settings("  ", "\tcpu\n"))).contains("cpu");
        assertThat(DeviceArenas.wantedProvider(ANY, settings(" ", " "))).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what these calls are about
    void nullIsNamed() {
        assertThatThrownBy(() -> DeviceArenas.open(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("plan");
        assertThatThrownBy(() -> DeviceArenas.open(EMPTY, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("options");
        assertThatThrownBy(() -> DeviceArenas.choose(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("options");
    }

    @Test
    void facts_deviceOfNoProvider_isRefused() {
        ArenaDevice device = new ArenaDevice(
                "gone", 0, "sieve", "", DeviceKind.HOST, 0, new ArenaLimits(64, "sieve size", 16, 64), Set.of());
        assertThatThrownBy(() -> DeviceArenas.facts(device))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device: expected one that a provider lists, got 'sieve' of provider 'gone'; pass a device"
                        + " that providers() or choose() returned");
    }

    @Test
    void unknownNameIsRefused() {
        assertThatThrownBy(() -> DeviceArenas.choose(ANY.withProvider("unknown")))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage(
                        "provider 'unknown' is not available. None was found; add one to the class path or module path,"
                                + " for example arena-cpu");
    }

    @Test
    void open_withChecksWithoutDiagnostics_saysWhatIsMissing_andAllocatesNothing() {
        ByteArrayProvider provider = new ByteArrayProvider(() -> {
            throw new AssertionError("opened");
        });
        ProviderChoice.Chosen chosen = new ProviderChoice.Chosen(provider, ByteArrayBackend.byteArray());
        assertThatThrownBy(() -> DeviceArenas.open(chosen, EMPTY, ANY.withChecks()))
                .isExactlyInstanceOf(UnsupportedOperationException.class)
                .hasMessage(
                        "checks: expected the artifact arena-diagnostics on the class path or module path, got none;"
                                + " add io.devicearena:arena-diagnostics, or open without withChecks");
        assertThat(provider.opened).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // a provider in another language may answer so
    void open_ofAProviderThatReturnsNoBackend_namesTheProvider() {
        ByteArrayProvider provider = new ByteArrayProvider(() -> null);
        ProviderChoice.Chosen chosen = new ProviderChoice.Chosen(provider, ByteArrayBackend.byteArray());
        assertThatThrownBy(() -> DeviceArenas.open(chosen, EMPTY, ANY))
                .isExactlyInstanceOf(DeviceException.class)
                .hasMessageEndingWith(".open(): expected a backend, got null; report this to the provider's author");
    }

    @Test
    void open_ofAProviderWhoseClassesAreMissing_namesTheProvider() {
        ByteArrayProvider provider = new ByteArrayProvider(() -> {
            throw new NoClassDefFoundError("x/Y");
        });
        ProviderChoice.Chosen chosen = new ProviderChoice.Chosen(provider, ByteArrayBackend.byteArray());
        assertThatThrownBy(() -> DeviceArenas.open(chosen, EMPTY, ANY))
                .isExactlyInstanceOf(DeviceException.class)
                .hasMessage("io.devicearena.testing.ByteArrayProvider.open() threw java.lang.NoClassDefFoundError: x/Y;"
                        + " use versions of arena-api and the provider that belong together");
    }
}
