package io.devicearena.wgpu.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.devicearena.spi.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "paths are written as on the other systems")
class CacheFolderTest {
    private static Path path(Map<String, String> properties, Map<String, String> variables)
            throws UnusableLibraryException {
        return new CacheFolder(Settings.of(properties, variables)).path();
    }

    @Test
    void eachSystemHasItsPlace() throws UnusableLibraryException {
        assertThat(path(Map.of("os.name", "Linux", "user.home", "/home/a"), Map.of()))
                .hasToString("/home/a/.cache/device-arena/wgpu");
        assertThat(path(Map.of("os.name", "Mac OS X", "user.home", "/Users/a"), Map.of()))
                .hasToString("/Users/a/Library/Caches/device-arena/wgpu");
        assertThat(path(Map.of("os.name", "Windows 11", "user.home", "/a"), Map.of("LOCALAPPDATA", "/local")))
                .hasToString("/local/device-arena/wgpu");
    }

    @Test
    void path_xdgFolder_countsIfAbsolute() throws UnusableLibraryException {
        Map<String, String> properties = Map.of("os.name", "Linux", "user.home", "/home/a");
        assertThat(path(properties, Map.of("XDG_CACHE_HOME", "/cache"))).hasToString("/cache/device-arena/wgpu");
        assertThat(path(properties, Map.of("XDG_CACHE_HOME", "cache"))).hasToString("/home/a/.cache/device-arena/wgpu");
    }

    @Test
    void path_property_winsOverVariable() throws UnusableLibraryException {
        assertThat(path(Map.of(), Map.of("DEVICEARENA_WGPU_CACHE", "/b"))).hasToString("/b");
        assertThat(path(Map.of("devicearena.wgpu.cache", "/a"), Map.of("DEVICEARENA_WGPU_CACHE", "/b")))
                .hasToString("/a");
    }

    @Test
    void path_noHomeFolder_remedyNamesTheProperty() {
        UnusableLibraryException thrown = catchThrowableOfType(
                UnusableLibraryException.class, () -> path(Map.of("os.name", "Linux", "user.home", "?"), Map.of()));
        assertThat(thrown).hasMessage("the cache folder: expected a home folder to keep it in, got '?/.cache'");
        assertThat(thrown.remedy)
                .contains(
                        "set -Ddevicearena.wgpu.cache=FOLDER (or DEVICEARENA_WGPU_CACHE) to a folder that you may write"
                                + " to, on a file system that is not mounted noexec");
    }
}
