package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WgpuNative;
import java.util.Locale;
import java.util.Optional;

/** The graphics APIs whose devices are listed. Threads: immutable. */
public enum GpuBackends {
    /** Vulkan, Metal and Direct3D 12; each device is listed once. */
    PRIMARY,
    /** Only Vulkan. */
    VULKAN,
    /** Only Metal. */
    METAL,
    /** Only Direct3D 12. */
    DX12,
    /** Only OpenGL and OpenGL ES. */
    GL;

    /** Finds a constant by its name; case is ignored. */
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

    /**
     * Whether a system can have the API. On macOS, Vulkan and OpenGL come from libraries that translate them.
     *
     * @param os the name of the system, as the JVM has it
     */
    public boolean existsOn(String os) {
        return switch (this) {
            case METAL -> os.startsWith("Mac");
            case DX12 -> os.startsWith("Windows");
            case PRIMARY, VULKAN, GL -> true;
        };
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
