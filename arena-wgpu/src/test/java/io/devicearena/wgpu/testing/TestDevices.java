package io.devicearena.wgpu.testing;

import io.devicearena.wgpu.internal.gpu.GpuBackends;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;

/** Devices without arenas. */
public final class TestDevices {
    private TestDevices() {}

    /** Opens the first device; the test closes it. */
    public static GpuDevice first() {
        if (!(WgpuLibrary.load() instanceof LoadResult.Loaded)) {
            throw Needs.missing("wgpu-native library");
        }
        GpuInstance instance = GpuInstance.create(GpuBackends.PRIMARY);
        return instance.adapters().stream()
                .findFirst()
                .map(adapter -> GpuDevice.open(instance, adapter))
                .orElseThrow(() -> Needs.missing("wgpu device"));
    }
}
