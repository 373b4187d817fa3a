package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WgpuNative;
import java.util.Locale;
import java.util.Optional;

/** Which interfaces under the library are asked for devices. Threads: immutable. */
public enum GpuBackends {
    /** Those that reach a GPU best: Vulkan, Metal and Direct3D 12; each device is listed once. */
    PRIMARY,
    /** Vulkan alone. */
    VULKAN,
    /** Metal alone. */
    METAL,
    /** Direct3D 12 alone. */
    DX12,
    /** OpenGL and OpenGL ES alone. */
    GL;

    /** Finds one by its name, in any case. */
    public static Optional<GpuBackends> named(String name) {
        for (GpuBackends backends : values()) {
            if (backends.label().equals(name.toLowerCase(Locale.ROOT))) {
                return Optional.of(backends);
            }
        }
        return Optional.empty();
    }

    /** The name that users write. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    long flags() {
        return switch (this) {
            case PRIMARY ->
                WgpuNative.WGPUInstanceBackend_Vulkan()
                        | WgpuNative.WGPUInstanceBackend_Metal()
                        | WgpuNative.WGPUInstanceBackend_DX12();
            case VULKAN -> WgpuNative.WGPUInstanceBackend_Vulkan();
            case METAL -> WgpuNative.WGPUInstanceBackend_Metal();
            case DX12 -> WgpuNative.WGPUInstanceBackend_DX12();
            case GL -> WgpuNative.WGPUInstanceBackend_GL();
        };
    }
}
