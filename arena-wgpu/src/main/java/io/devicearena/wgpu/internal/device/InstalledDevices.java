package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.WgpuDeviceArenaProvider;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.Capability;
import io.devicearena.DeviceException;
import io.devicearena.spi.Availability;
import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuBackends;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the library and its drivers offer in this process, found out once.
 *
 * <p>Threads: immutable.
 */
final class InstalledDevices {
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

    /** Looks at the first call; every later call has the same answer. */
    static synchronized InstalledDevices ofProcess() {
        InstalledDevices known = found;
        if (known == null) {
            known = look();
            found = known;
        }
        return known;
    }

    private static InstalledDevices look() {
        try {
            Optional<String> name = WgpuSettings.BACKEND.value();
            Optional<GpuBackends> backends =
                    name.isEmpty() ? Optional.of(GpuBackends.PRIMARY) : name.flatMap(GpuBackends::named);
            if (backends.isEmpty()) {
                return missing(
                        WgpuSettings.BACKEND.variable() + ": expected vulkan, metal, dx12, gl or primary, got '"
                                + name.orElse("") + "'",
                        "set it to one of these, or not at all");
            }
            return switch (WgpuLibrary.load()) {
                case LoadResult.Failed failed -> missing(failed.reason(), failed.remedy());
                case LoadResult.Loaded _ -> list(GpuInstance.create(backends.get()), backends.get());
            };
        } catch (DeviceException | LinkageError e) {
            return missing("wgpu-native does not start: " + e.getMessage(), NO_DRIVER_REMEDY);
        }
    }

    private static InstalledDevices list(GpuInstance instance, GpuBackends backends) {
        List<GpuAdapter> all = instance.adapters();
        if (all.isEmpty()) {
            return missing("wgpu-native finds no device (backends: " + backends.label() + ")", NO_DRIVER_REMEDY);
        }
        Optional<String> wanted = WgpuSettings.ADAPTER.value();
        List<GpuAdapter> listed = wanted.map(text -> pick(all, text)).orElse(all);
        if (listed.isEmpty()) {
            String names = all.stream().map(GpuAdapter::name).collect(Collectors.joining("', '", "'", "'"));
            return missing(
                    WgpuSettings.ADAPTER.variable() + ": expected an index from 0 to " + (all.size() - 1)
                            + " or part of one of " + names + ", got '" + wanted.orElse("") + "'",
                    "set it to one of these, or not at all");
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
                WgpuDeviceArenaProvider.NAME,
                index,
                adapter.name(),
                adapter.backend() + (adapter.driver().isEmpty() ? "" : ", " + adapter.driver()),
                adapter.kind(),
                adapter.kind().priority(),
                new ArenaLimits(
                        adapter.limits().maxBufferBytes() & -ArenaBuffers.SIZE_UNIT,
                        "maxBufferSize",
                        DEFAULT_ALIGNMENT,
                        Math.max(DEFAULT_ALIGNMENT, adapter.limits().storageAlignment()),
                        adapter.limits().maxBindingBytes()),
                capabilities(adapter));
    }

    private static Set<Capability> capabilities(GpuAdapter adapter) {
        Set<Capability> capabilities = EnumSet.of(Capability.KERNELS);
        if (adapter.hasShaderF16() && !WgpuSettings.NO_F16_SHADOW.isOn()) {
            capabilities.add(Capability.F16_SHADOW);
        }
        return capabilities;
    }

    private static InstalledDevices missing(String reason, String remedy) {
        return new InstalledDevices(new Availability.Missing(reason, remedy), null, List.of());
    }

    Availability answer() {
        return answer;
    }

    /** The devices of the process; there are none when the answer is that the provider is missing. */
    Optional<SharedDevices> devices() {
        return Optional.ofNullable(devices);
    }

    /** The adapters, each at the index of its device. */
    List<GpuAdapter> adapters() {
        return adapters;
    }
}
