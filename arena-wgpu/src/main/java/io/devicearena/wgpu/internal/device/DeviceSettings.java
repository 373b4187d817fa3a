package io.devicearena.wgpu.internal.device;

import io.devicearena.spi.Settings;
import io.devicearena.wgpu.internal.gpu.GpuBackends;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of the provider. A wrong one is an {@link IllegalArgumentException} that names where it was set.
 *
 * <p>Threads: immutable.
 *
 * @param backends the graphics APIs whose devices are listed
 * @param adapter the devices that are listed, by index or part of the name; empty for all
 * @param segmentBytes the largest segment of an arena; empty for that of the device
 * @param shadow whether devices may keep an f16 shadow
 */
record DeviceSettings(
        GpuBackends backends, Optional<Settings.Setting> adapter, OptionalLong segmentBytes, boolean shadow) {
    static final String SEGMENT_BYTES = "devicearena.wgpu.segmentBytes";

    private static final String ADAPTER = "devicearena.wgpu.adapter";
    private static final String BACKEND = "devicearena.wgpu.backend";
    private static final String NO_F16_SHADOW = "devicearena.no.f16Shadow";

    static DeviceSettings of(Settings settings) {
        String os = settings.property("os.name").orElse("this system");
        return new DeviceSettings(
                settings.find(BACKEND).map(set -> backends(set, os)).orElse(GpuBackends.PRIMARY),
                settings.find(ADAPTER),
                settings.find(SEGMENT_BYTES)
                        .map(set -> OptionalLong.of(segmentBytes(set)))
                        .orElse(OptionalLong.empty()),
                !settings.find(NO_F16_SHADOW).map(DeviceSettings::isOn).orElse(false));
    }

    private static GpuBackends backends(Settings.Setting set, String os) {
        GpuBackends named =
                GpuBackends.named(set.value()).orElseThrow(() -> wrong(set, "vulkan, metal, dx12, gl or primary"));
        if (!named.existsOn(os)) {
            String others = Stream.of(GpuBackends.VULKAN, GpuBackends.METAL, GpuBackends.DX12, GpuBackends.GL)
                    .filter(backend -> backend.existsOn(os))
                    .map(GpuBackends::label)
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(name(set) + ": expected " + others + " or primary on " + os + ", got '"
                    + set.value() + "', which " + os + " does not have");
        }
        return named;
    }

    private static long segmentBytes(Settings.Setting set) {
        try {
            long bytes = Long.parseLong(set.value());
            if (bytes > 0 && bytes % GpuLimits.MAX_BINDING_ALIGNMENT == 0) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // rejected below
        }
        throw wrong(set, "a positive multiple of " + GpuLimits.MAX_BINDING_ALIGNMENT + " bytes");
    }

    private static boolean isOn(Settings.Setting set) {
        return switch (set.value().toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes", "on" -> true;
            case "0", "false", "no", "off" -> false;
            default -> throw wrong(set, "on, true, yes, 1, or off, false, no, 0");
        };
    }

    /**
     * The adapters that the setting names: the one at an index, else those whose name contains the text in any case. A
     * number that is no index may be part of a name, such as 4090.
     *
     * @throws IllegalArgumentException if there is none
     */
    <T> List<T> chosen(List<T> all, Function<T, String> nameOf) {
        if (adapter.isEmpty()) {
            return all;
        }
        String text = adapter.get().value();
        if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) < all.size()) {
            return List.of(all.get(Integer.parseInt(text)));
        }
        String part = text.toLowerCase(Locale.ROOT);
        List<T> named = all.stream()
                .filter(each -> nameOf.apply(each).toLowerCase(Locale.ROOT).contains(part))
                .toList();
        if (named.isEmpty()) {
            throw wrong(
                    adapter.get(),
                    "an index from 0 to " + (all.size() - 1) + " or part of one of "
                            + all.stream().map(nameOf).collect(Collectors.joining("', '", "'", "'")));
        }
        return named;
    }

    private static IllegalArgumentException wrong(Settings.Setting set, String expected) {
        return new IllegalArgumentException(name(set) + ": expected " + expected + ", got '" + set.value() + "'");
    }

    /** The name of the property or variable alone. */
    private static String name(Settings.Setting set) {
        return set.source().substring(set.source().indexOf(' ') + 1);
    }
}
