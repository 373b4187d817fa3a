package io.devicearena.wgpu.internal.device;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.Capability;
import io.devicearena.DeviceException;
import io.devicearena.spi.Availability;
import io.devicearena.spi.Settings;
import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuBackends;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.internal.logging.WgpuLog;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The devices that the library and its drivers offer to this process. The first question loads the library and lists
 * them; later questions have the same answer.
 *
 * <p>Threads: immutable.
 */
public final class InstalledDevices {
    /** The name of the provider. */
    public static final String PROVIDER = "wgpu";

    private static final String ADAPTER = "devicearena.wgpu.adapter";
    private static final String BACKEND = "devicearena.wgpu.backend";
    private static final String F16_SHADOW = "devicearena.wgpu.f16Shadow";

    private static final String SEGMENT_BYTES = "devicearena.wgpu.segmentBytes";

    /** The most segments of an arena: each costs some microseconds and some hundred bytes of host memory. */
    private static final int MAX_SEGMENTS = 16_384;

    /** The older spelling of {@link #F16_SHADOW}, with the opposite meaning. */
    private static final String NO_F16_SHADOW = "devicearena.noF16Shadow";

    /** The alignment of slots that copies and host access prefer, in bytes. */
    private static final int DEFAULT_ALIGNMENT = 16;

    private static final String NO_DRIVER_REMEDY =
            "install the GPU's driver, or Mesa's software Vulkan (package mesa-vulkan-drivers on Debian)";

    private static @Nullable InstalledDevices found;

    private final Availability answer;
    private final @Nullable SharedDevices devices;
    private final List<GpuAdapter> adapters;

    private InstalledDevices(Availability answer, @Nullable SharedDevices devices, List<GpuAdapter> adapters) {
        this.answer = answer;
        this.devices = devices;
        this.adapters = List.copyOf(adapters);
    }

    /** Returns the devices of this process. */
    public static synchronized InstalledDevices ofProcess() {
        InstalledDevices known = found;
        if (known == null) {
            known = find();
            known.log();
            found = known;
        }
        return known;
    }

    /** Writes what was found to the log. */
    private void log() {
        WgpuLog.logger().log(System.Logger.Level.DEBUG, () -> switch (answer) {
            case Availability.Ready(var listed) ->
                "found " + listed.stream().map(ArenaDevice::name).toList() + " with the library " + WgpuLibrary.load();
            case Availability.Missing(var reason, var remedy) -> "is not available: " + reason + "; " + remedy;
        });
    }

    private static InstalledDevices find() {
        try {
            Optional<String> name = Settings.read(BACKEND);
            Optional<GpuBackends> backends =
                    name.isEmpty() ? Optional.of(GpuBackends.PRIMARY) : name.flatMap(GpuBackends::named);
            if (backends.isEmpty()) {
                return missing(
                        Settings.variableOf(BACKEND) + ": expected vulkan, metal, dx12, gl or primary, got '"
                                + name.orElse("") + "'",
                        "set it to one of these, or do not set it");
            }
            Optional<String> segment = Settings.read(SEGMENT_BYTES);
            if (segment.isPresent() && segmentBytes(segment.get()) == 0) {
                return missing(
                        Settings.variableOf(SEGMENT_BYTES) + ": expected a positive multiple of "
                                + GpuLimits.MAX_BINDING_ALIGNMENT + " bytes, got '" + segment.get() + "'",
                        "set it to such a number, or do not set it");
            }
            return switch (WgpuLibrary.load()) {
                case LoadResult.Failed failed -> missing(failed.reason(), failed.remedy());
                case LoadResult.Loaded _ -> list(GpuInstance.create(backends.get()), backends.get());
            };
        } catch (DeviceException | LinkageError e) {
            return missing("wgpu-native did not start: " + e.getMessage(), NO_DRIVER_REMEDY);
        }
    }

    private static InstalledDevices list(GpuInstance instance, GpuBackends backends) {
        List<GpuAdapter> all = instance.adapters();
        if (all.isEmpty()) {
            instance.close();
            return missing("wgpu-native finds no device (backends: " + backends.label() + ")", NO_DRIVER_REMEDY);
        }
        Optional<String> wanted = Settings.read(ADAPTER);
        List<GpuAdapter> listed = wanted.map(text -> pick(all, text)).orElse(all);
        if (listed.isEmpty()) {
            String names = all.stream().map(GpuAdapter::name).collect(Collectors.joining("', '", "'", "'"));
            instance.close();
            return missing(
                    Settings.variableOf(ADAPTER) + ": expected an index from 0 to " + (all.size() - 1)
                            + " or part of one of " + names + ", got '" + wanted.orElse("") + "'",
                    "set it to one of these, or do not set it");
        }
        List<ArenaDevice> devices = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            devices.add(describe(i, listed.get(i)));
        }
        return new InstalledDevices(new Availability.Ready(devices), new SharedDevices(instance), listed);
    }

    private static List<GpuAdapter> pick(List<GpuAdapter> all, String wanted) {
        if (wanted.chars().allMatch(c -> c >= '0' && c <= '9') && wanted.length() < 10) {
            int index = Integer.parseInt(wanted);
            return index < all.size() ? List.of(all.get(index)) : List.of();
        }
        String part = wanted.toLowerCase(Locale.ROOT);
        return all.stream()
                .filter(adapter -> adapter.name().toLowerCase(Locale.ROOT).contains(part))
                .toList();
    }

    private static ArenaDevice describe(int index, GpuAdapter adapter) {
        return new ArenaDevice(
                PROVIDER,
                index,
                adapter.name(),
                adapter.backend() + (adapter.driver().isEmpty() ? "" : ", " + adapter.driver()),
                adapter.kind(),
                adapter.kind().priority(),
                limits(adapter),
                capabilities(adapter));
    }

    /** The arena of a device may have many segments, each a buffer, or as large as the setting allows. */
    private static ArenaLimits limits(GpuAdapter adapter) {
        long buffer = adapter.limits().maxBufferBytes() & -GpuLimits.MAX_BINDING_ALIGNMENT;
        long segment = Settings.read(SEGMENT_BYTES)
                .map(text -> Math.min(segmentBytes(text), buffer))
                .orElse(buffer);
        return new ArenaLimits(
                        segment > Long.MAX_VALUE / MAX_SEGMENTS ? Long.MAX_VALUE : segment * MAX_SEGMENTS,
                        MAX_SEGMENTS + " segments",
                        DEFAULT_ALIGNMENT,
                        adapter.limits().maxBindingBytes())
                .withSegments(segment, segment < buffer ? SEGMENT_BYTES : "maxBufferSize")
                .withBindings(
                        adapter.limits().maxBindingBytes(),
                        "maxStorageBufferBindingSize",
                        Math.max(DEFAULT_ALIGNMENT, adapter.limits().storageAlignment()),
                        "minStorageBufferOffsetAlignment");
    }

    /** Reads the size of a segment; returns 0 for an invalid one. */
    private static long segmentBytes(String text) {
        try {
            long bytes = Long.parseLong(text);
            return bytes > 0 && bytes % GpuLimits.MAX_BINDING_ALIGNMENT == 0 ? bytes : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Set<Capability> capabilities(GpuAdapter adapter) {
        Set<Capability> capabilities = EnumSet.of(Capability.KERNELS);
        if (adapter.hasShaderF16() && isShadowEnabled()) {
            capabilities.add(Capability.F16_SHADOW);
        }
        return capabilities;
    }

    private static boolean isShadowEnabled() {
        return Settings.read(F16_SHADOW)
                .map(Settings::isOn)
                .orElseGet(
                        () -> !Settings.read(NO_F16_SHADOW).map(Settings::isOn).orElse(false));
    }

    private static InstalledDevices missing(String reason, String remedy) {
        return new InstalledDevices(new Availability.Missing(reason, remedy), null, List.of());
    }

    /** Whether the provider is available, with its devices or the reason. */
    public Availability answer() {
        return answer;
    }

    /** The open devices of the process; empty if the provider is not available. */
    public Optional<SharedDevices> devices() {
        return Optional.ofNullable(devices);
    }

    /**
     * Returns the adapter of a device.
     *
     * @throws IllegalArgumentException if {@link #answer} does not list the device
     * @throws DeviceException if the provider is not available
     */
    public GpuAdapter adapter(ArenaDevice device) {
        Objects.requireNonNull(device, "device");
        switch (answer) {
            case Availability.Ready(var listed) -> {
                if (!listed.contains(device)) {
                    throw new IllegalArgumentException(
                            "device: expected one of provider '" + PROVIDER + "', got '" + device.name()
                                    + "' of provider '" + device.provider() + "'; pass a device that probe() lists");
                }
                return adapters.get(device.index());
            }
            case Availability.Missing missing ->
                throw new DeviceException(
                        "provider '" + PROVIDER + "' is not available: " + missing.reason() + "; " + missing.remedy());
        }
    }
}
