package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.Settings;
import io.devicearena.spi.SpiVersion;
import io.devicearena.testing.ByteArrayArena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceArenasTest {
    private static final ArenaOptions ANY = ArenaOptions.defaults();

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
        MemoryPlan plan = new MemoryPlan(0, Map.of(), List.of());
        assertThatThrownBy(() -> DeviceArenas.open(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("plan");
        assertThatThrownBy(() -> DeviceArenas.open(plan, null))
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

    /** A provider that does not know the option of checks. */
    private record Unchecking(List<DeviceArena> opened) implements DeviceArenaProvider {
        @Override
        public int spiVersion() {
            return SpiVersion.CURRENT;
        }

        @Override
        public String name() {
            return "third";
        }

        @Override
        public Availability probe() {
            return new Availability.Ready(List.of(ByteArrayArena.byteArray()));
        }

        @Override
        public DeviceArena open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            DeviceArena arena = new ByteArrayArena(plan, ArenaOptions.defaults(), () -> {});
            opened.add(arena);
            return arena;
        }
    }

    @Test
    void open_withChecksThatTheProviderDoesNotMake_closesTheArenaAndSaysSo() {
        Unchecking provider = new Unchecking(new ArrayList<>());
        ProviderChoice.Chosen chosen = new ProviderChoice.Chosen(provider, ByteArrayArena.byteArray());
        MemoryPlan plan = new MemoryPlan(0, Map.of(), List.of());
        assertThatThrownBy(() -> DeviceArenas.open(chosen, plan, ANY.withChecks()))
                .isExactlyInstanceOf(UnsupportedOperationException.class)
                .hasMessage("checks: not an option of provider 'third'; open the arena without withChecks, or choose"
                        + " another provider");
        assertThat(provider.opened()).singleElement().matches(arena -> !arena.isOpen(), "is closed");
        try (DeviceArena arena = DeviceArenas.open(chosen, plan, ANY)) {
            assertThat(arena.isChecked()).isFalse();
        }
    }
}
