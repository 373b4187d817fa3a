package io.devicearena.wgpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.spi.Availability;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A program that prints the availability of the provider: the reason and the remedy, or each device. It uses an arena
 * on each device while arenas on the others are open.
 */
final class ProbeMain {
    private ProbeMain() {}

    public static void main(String... arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        WgpuDeviceArenaProvider provider = new WgpuDeviceArenaProvider();
        switch (provider.probe()) {
            case Availability.Missing missing -> {
                out.println(missing.reason());
                out.println(missing.remedy());
            }
            case Availability.Ready ready -> {
                for (ArenaDevice device : ready.devices()) {
                    out.println(device.index() + " " + device.name() + " " + new TreeSet<>(device.capabilities()));
                }
                useAll(provider, ready.devices(), out);
            }
        }
    }

    private static void useAll(WgpuDeviceArenaProvider provider, List<ArenaDevice> devices, PrintStream out) {
        NodeId id = NodeId.of(0);
        List<DeviceArena> open = new ArrayList<>();
        for (ArenaDevice device : devices) {
            open.add(provider.openArena(device, TestArenas.plan(0, 16), ArenaOptions.defaults()));
        }
        for (int i = 0; i < open.size(); i++) {
            open.get(i).writeInputF32(id, DType.F32, new float[] {i});
        }
        for (int i = 0; i < open.size(); i++) {
            // the earlier ones are closed by now
            out.println("device " + i + " holds " + open.get(i).readOutputF32(id, DType.F32, 1)[0]);
            open.get(i).close();
        }
    }
}
