package io.devicearena.wgpu.internal.device;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What to do when the library finds no device.
 *
 * <p><b>Source:</b> NVIDIA Container Toolkit, "Driver Capabilities": without {@code graphics}, a container gets the
 * device files of the GPU but not its Vulkan driver. Windows Subsystem for Linux: {@code /dev/dxg} is the GPU of
 * Windows.
 *
 * <p>Threads: safe for any thread.
 */
public final class DriverRemedy {
    private static final String GENERAL =
            "install the GPU's driver, or Mesa's software Vulkan (package mesa-vulkan-drivers on Debian)";

    private DriverRemedy() {}

    /** Returns the remedy for this machine. */
    public static String ofMachine() {
        return of(Path.of("/dev"));
    }

    static String of(Path devices) {
        if (Files.exists(devices.resolve("nvidiactl")) || Files.exists(devices.resolve("nvidia0"))) {
            return "this machine has an NVIDIA GPU without its Vulkan driver: in a container, start it with"
                    + " NVIDIA_DRIVER_CAPABILITIES=compute,utility,graphics; else " + GENERAL;
        }
        if (Files.exists(devices.resolve("dxg"))) {
            return "this is WSL, whose GPU needs Mesa's Vulkan driver for Direct3D 12: install a Mesa with dzn (package"
                    + " mesa-vulkan-drivers of a recent Ubuntu or Debian), which also has Vulkan in software";
        }
        return GENERAL;
    }
}
