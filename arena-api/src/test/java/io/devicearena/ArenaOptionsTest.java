package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ArenaOptionsTest {
    private static final DeviceSelector FIRST = new DeviceSelector.ByIndex(0);

    @Test
    void theDefaultsChooseTheBestWithoutScratch() {
        ArenaOptions options = ArenaOptions.defaults();
        assertThat(options.provider()).isEmpty();
        assertThat(options.device()).isEmpty();
        assertThat(options.scratchBytes()).isZero();
        assertThat(options)
                .hasToString(
                        "ArenaOptions[provider=best, device=best, scratchBytes=0, label=device arena, f16Shadow=ON_WRITE]");
    }

    @Test
    void everyChangeKeepsTheOthers() {
        ArenaOptions options = ArenaOptions.defaults()
                .withLabel("weights")
                .withScratchBytes(17)
                .withDevice(FIRST)
                .withProvider("cpu");
        assertThat(options)
                .hasToString(
                        "ArenaOptions[provider=cpu, device=index 0, scratchBytes=17, label=weights, f16Shadow=ON_WRITE]");
        assertThat(options.withLabel("x").withDevice(FIRST).withScratchBytes(1))
                .hasToString("ArenaOptions[provider=cpu, device=index 0, scratchBytes=1, label=x, f16Shadow=ON_WRITE]");
        assertThat(ArenaOptions.defaults().provider()).isEmpty();
    }

    @Test
    void invalidArgumentsAreRefused() {
        ArenaOptions options = ArenaOptions.defaults();
        assertThatThrownBy(() -> options.withProvider(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("provider: expected a name, got ' '");
        assertThatThrownBy(() -> options.withScratchBytes(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("scratch: expected 0 or more bytes, got -1");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what these calls are about
    void nullIsNamed() {
        ArenaOptions options = ArenaOptions.defaults();
        assertThatThrownBy(() -> options.withProvider(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("name");
        assertThatThrownBy(() -> options.withDevice(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("selector");
        assertThatThrownBy(() -> options.withLabel(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("text");
    }
}
