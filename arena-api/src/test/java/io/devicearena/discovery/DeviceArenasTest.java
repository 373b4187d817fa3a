package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceArenasTest {
    private static final ArenaOptions ANY = ArenaOptions.defaults();

    @Test
    void callerThenPropertyThenVariableChoose() {
        assertThat(DeviceArenas.wantedProvider(ANY.withProvider("mine"), "property", "variable"))
                .contains("mine");
        assertThat(DeviceArenas.wantedProvider(ANY, "property", "variable")).contains("property");
        assertThat(DeviceArenas.wantedProvider(ANY, "", "variable")).contains("variable");
        assertThat(DeviceArenas.wantedProvider(ANY, "", "")).isEmpty();
    }

    @Test
    void blankNamesCountAsUnsetAndOthersAreStripped() {
        assertThat(DeviceArenas.wantedProvider(ANY, "  ", "\tcpu\n")).contains("cpu");
        assertThat(DeviceArenas.wantedProvider(ANY, " ", " ")).isEmpty();
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
    void unknownNameIsRefused() {
        assertThatThrownBy(() -> DeviceArenas.choose(ANY.withProvider("unknown")))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage(
                        "provider 'unknown' is not available. None was found; add one to the class path or module path,"
                                + " for example arena-cpu");
    }
}
