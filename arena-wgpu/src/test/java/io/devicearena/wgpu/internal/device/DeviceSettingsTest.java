package io.devicearena.wgpu.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.internal.gpu.GpuBackends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of the provider, and its remedy where there is no device; nothing is loaded. */
class DeviceSettingsTest {
    private static final List<String> GPUS =
            List.of("NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4090", "llvmpipe (LLVM 15.0.7, 256 bits)");

    private static DeviceSettings settings(String os, String property, String value) {
        Map<String, String> properties = new HashMap<>(Map.of("os.name", os));
        properties.put(property, value);
        return DeviceSettings.of(Settings.of(properties, Map.of()));
    }

    @ParameterizedTest(name = "{1}={2} on {0}")
    @CsvSource({
        "Linux, devicearena.wgpu.backend, metal, 'expected vulkan, gl or primary on Linux, got ''metal'', which Linux does not have'",
        "Linux, devicearena.wgpu.backend, DX12, 'expected vulkan, gl or primary on Linux, got ''DX12'', which Linux does not have'",
        "Mac OS X, devicearena.wgpu.backend, dx12, 'expected vulkan, metal, gl or primary on Mac OS X, got ''dx12'', which Mac OS X does not have'",
        "Windows 11, devicearena.wgpu.backend, metal, 'expected vulkan, dx12, gl or primary on Windows 11, got ''metal'', which Windows 11 does not have'",
        "Linux, devicearena.wgpu.backend, glide, 'expected vulkan, metal, dx12, gl or primary, got ''glide'''",
        "Linux, devicearena.no.f16Shadow, 2, 'expected on, true, yes, 1, or off, false, no, 0, got ''2'''",
        "Linux, devicearena.wgpu.segmentBytes, 1e6, 'expected a positive multiple of 256 bytes, got ''1e6'''",
        "Linux, devicearena.wgpu.segmentBytes, 0, 'expected a positive multiple of 256 bytes, got ''0'''",
        "Linux, devicearena.wgpu.segmentBytes, -256, 'expected a positive multiple of 256 bytes, got ''-256'''",
        "Linux, devicearena.wgpu.segmentBytes, 64k, 'expected a positive multiple of 256 bytes, got ''64k'''",
        "Linux, devicearena.wgpu.segmentBytes, 65537, 'expected a positive multiple of 256 bytes, got ''65537'''",
    })
    void wrongValue_isRefusedWithTheRightOnes(String os, String property, String value, String why) {
        assertThatThrownBy(() -> settings(os, property, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(property + ": " + why);
    }

    @Test
    void wrongVariable_isRefusedByItsName() {
        Settings settings = Settings.of(Map.of(), Map.of("DEVICEARENA_NO_F16_SHADOW", "nope"));
        assertThatThrownBy(() -> DeviceSettings.of(settings))
                .hasMessage("DEVICEARENA_NO_F16_SHADOW: expected on, true, yes, 1, or off, false, no, 0, got 'nope'");
    }

    @Test
    void rightValues_areRead() {
        assertThat(settings("Mac OS X", "devicearena.wgpu.backend", "Metal").backends())
                .isEqualTo(GpuBackends.METAL);
        assertThat(settings("Linux", "devicearena.no.f16Shadow", "yes").shadow())
                .isFalse();
        assertThat(settings("Linux", "devicearena.no.f16Shadow", "No").shadow()).isTrue();
        for (String on : List.of("1", "on")) {
            assertThat(settings("Linux", "devicearena.no.f16Shadow", on).shadow())
                    .isFalse();
        }
        for (String off : List.of("0", "off")) {
            assertThat(settings("Linux", "devicearena.no.f16Shadow", off).shadow())
                    .isTrue();
        }
        assertThat(settings("Linux", "devicearena.no.f16Shadow", " ").shadow()).isTrue();
        assertThat(settings("Linux", "devicearena.wgpu.segmentBytes", "512").segmentBytes())
                .hasValue(512);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "2, 2, 2", "4090, 1, 1", "3, 0, 0", "geforce, 0, 1", "15.0.7, 2, 2"})
    void adapter_isAnIndexElsePartOfAName(String text, int first, int last) {
        List<String> chosen =
                settings("Linux", "devicearena.wgpu.adapter", text).chosen(GPUS, Function.identity());
        assertThat(chosen.getFirst()).isEqualTo(GPUS.get(first));
        assertThat(chosen.getLast()).isEqualTo(GPUS.get(last));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5080", "-1", "99999999999999999999", "no such device"})
    void adapter_ofNoDevice_isRefusedWithAllOfThem(String adapter) {
        DeviceSettings settings = settings("Linux", "devicearena.wgpu.adapter", adapter);
        assertThatThrownBy(() -> settings.chosen(GPUS, Function.identity()))
                .hasMessage("devicearena.wgpu.adapter: expected an index from 0 to 2 or part of one of"
                        + " 'NVIDIA GeForce RTX 3090', 'NVIDIA GeForce RTX 4090', 'llvmpipe (LLVM 15.0.7, 256 bits)',"
                        + " got '" + adapter + "'");
    }

    @Test
    void remedy_namesWhatTheMachineLacks(@TempDir Path devices) throws IOException {
        String driver = "install the GPU's driver, or Mesa's software Vulkan (package mesa-vulkan-drivers on Debian)";
        assertThat(DriverRemedy.of(devices)).isEqualTo(driver);
        Files.createFile(devices.resolve("dxg"));
        assertThat(DriverRemedy.of(devices))
                .isEqualTo("this is WSL, whose GPU needs Mesa's Vulkan driver for Direct3D 12: install a Mesa with dzn"
                        + " (package mesa-vulkan-drivers of a recent Ubuntu or Debian), which also has Vulkan in"
                        + " software");
        Files.createFile(devices.resolve("nvidiactl"));
        assertThat(DriverRemedy.of(devices))
                .isEqualTo("this machine has an NVIDIA GPU without its Vulkan driver: in a container, start it with"
                        + " NVIDIA_DRIVER_CAPABILITIES=compute,utility,graphics; else " + driver);
    }
}
