package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final String PROPERTY = "devicearena.wgpu.adapter";
    private static final String VARIABLE = "DEVICEARENA_WGPU_ADAPTER";

    private static Settings settings(Map<String, String> properties, Map<String, String> variables) {
        return Settings.of(properties, variables);
    }

    @Test
    void find_propertyAndVariableSet_propertyWins() {
        assertThat(settings(Map.of(PROPERTY, "one"), Map.of(VARIABLE, "two")).find(PROPERTY))
                .contains(new Settings.Setting("property devicearena.wgpu.adapter", "one"));
    }

    @Test
    void find_onlyVariableSet_returnsVariable() {
        assertThat(settings(Map.of(), Map.of(VARIABLE, "two")).find(PROPERTY))
                .contains(new Settings.Setting("variable DEVICEARENA_WGPU_ADAPTER", "two"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n "})
    void find_blankProperty_countsAsNotSet(String blank) {
        assertThat(settings(Map.of(PROPERTY, blank), Map.of(VARIABLE, "two")).find(PROPERTY))
                .contains(new Settings.Setting("variable DEVICEARENA_WGPU_ADAPTER", "two"));
        assertThat(settings(Map.of(PROPERTY, blank), Map.of(VARIABLE, blank)).find(PROPERTY))
                .isEmpty();
    }

    @Test
    void find_whiteSpaceAroundValue_isRemoved() {
        assertThat(settings(Map.of(PROPERTY, "  lava pipe\n"), Map.of()).find(PROPERTY))
                .contains(new Settings.Setting("property devicearena.wgpu.adapter", "lava pipe"));
    }

    @Test
    void read_propertyOfProcess_returnsValue() {
        System.setProperty("devicearena.settingsTest", " yes ");
        try {
            assertThat(Settings.read("devicearena.settingsTest")).contains("yes");
        } finally {
            System.clearProperty("devicearena.settingsTest");
        }
        assertThat(Settings.read("devicearena.settingsTest")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "devicearena.provider, DEVICEARENA_PROVIDER",
        "devicearena.wgpu.adapter, DEVICEARENA_WGPU_ADAPTER",
        "devicearena.wgpu.segmentBytes, DEVICEARENA_WGPU_SEGMENT_BYTES",
        "devicearena.no.f16Shadow, DEVICEARENA_NO_F16_SHADOW",
    })
    void variableOf_upperCaseWithUnderscores(String property, String variable) {
        assertThat(Settings.variableOf(property)).isEqualTo(variable);
    }
}
