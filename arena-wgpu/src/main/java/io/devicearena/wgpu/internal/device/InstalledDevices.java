package io.devicearena.wgpu.internal.device;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.Capability;
import io.devicearena.DeviceException;
import io.devicearena.spi.Availability;
import io.devicearena.spi.Settings;
import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.internal.logging.NativeLog;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

    /** The most segments of an arena: each costs some microseconds and some hundred bytes of host memory. */
    private static final int MAX_SEGMENTS = 16_384;

    /** The alignment of slots that copies and host access prefer, in bytes. */
    private static final int DEFAULT_ALIGNMENT = 16;

    private static final InstalledDevices OF_PROCESS = find();

    private final Availability answer;
    private final @Nullable SharedDevices devices;
    private final List<GpuAdapter> adapters;

    private InstalledDevices(Availability answer, @Nullable SharedDevices devices, List<GpuAdapter> adapters) {
        this.answer = answer;
        this.devices = devices;
        this.adapters = List.copyOf(adapters);
        NativeLog.LOGGER.log(System.Logger.Level.DEBUG, () -> switch (answer) {
            case Availability.Ready(var listed) ->
                "found " + listed.stream().map(ArenaDevice::name).toList() + " with the library " + WgpuLibrary.load();
            case Availability.Missing(var reason, var remedy) -> "is not available: " + reason + "; " + remedy;
        });
    }

    /** Returns the devices of this process. */
    public static InstalledDevices ofProcess() {
        return OF_PROCESS;
    }

    private static InstalledDevices find() {
        try {
            DeviceSettings settings = DeviceSettings.of(Settings.ofProcess());
            return switch (WgpuLibrary.load()) {
                case LoadResult.Failed failed -> missing(failed.reason(), failed.remedy());
                case LoadResult.Loaded _ -> list(GpuInstance.create(settings.backends()), settings);
            };
        } catch (IllegalArgumentException e) {
            return missing(String.valueOf(e.getMessage()), "set it to one of these, or do not set it");
        } catch (RuntimeException | LinkageError e) {
            return missing("wgpu-native did not start: " + e.getMessage(), DriverRemedy.ofMachine());
        }
    }

    private static InstalledDevices list(GpuInstance instance, DeviceSettings settings) {
        List<GpuAdapter> all = instance.adapters();
        if (all.isEmpty()) {
            instance.close();
            return missing(
                    "wgpu-native finds no device (backends: "
                            + settings.backends().label() + ")",
                    DriverRemedy.ofMachine());
        }
        List<GpuAdapter> listed;
        try {
            listed = settings.chosen(all, GpuAdapter::name);
        } catch (IllegalArgumentException e) {
            instance.close();
            throw e;
        }
        List<ArenaDevice> devices = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            devices.add(describe(i, listed.get(i), settings));
        }
        return new InstalledDevices(new Availability.Ready(devices), new SharedDevices(instance), listed);
    }

    private static ArenaDevice describe(int index, GpuAdapter adapter, DeviceSettings settings) {
        return new ArenaDevice(
                PROVIDER,
                index,
                adapter.name(),
                adapter.facts().backend()
                        + (adapter.facts().driver().isEmpty()
                                ? ""
                                : ", " + adapter.facts().driver()),
                adapter.kind(),
                adapter.kind().priority(),
                limits(adapter, settings),
                capabilities(adapter, settings));
    }

    /** The arena of a device may have many segments, each a buffer, or as large as the setting allows. */
    private static ArenaLimits limits(GpuAdapter adapter, DeviceSettings settings) {
        long buffer = adapter.facts().maxBufferBytes() & -GpuLimits.MAX_BINDING_ALIGNMENT;
        long segment = Math.min(settings.segmentBytes().orElse(buffer), buffer);
        return new ArenaLimits(
                        segment > Long.MAX_VALUE / MAX_SEGMENTS ? Long.MAX_VALUE : segment * MAX_SEGMENTS,
                        MAX_SEGMENTS + " segments",
                        DEFAULT_ALIGNMENT,
                        adapter.facts().maxBindingBytes())
                .withSegments(segment, segment < buffer ? DeviceSettings.SEGMENT_BYTES : "maxBufferSize")
                .withBindings(
                        adapter.facts().maxBindingBytes(),
                        "maxStorageBufferBindingSize",
                        Math.max(DEFAULT_ALIGNMENT, adapter.facts().bindingAlignmentBytes()),
                        "minStorageBufferOffsetAlignment");
    }

    private static Set<Capability> capabilities(GpuAdapter adapter, DeviceSettings settings) {
        Set<Capability> capabilities = EnumSet.of(Capability.KERNELS);
        if (adapter.facts().hasShaderF16() && settings.shadow()) {
            capabilities.add(Capability.F16_SHADOW);
        }
        return capabilities;
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
