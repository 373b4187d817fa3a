package com.example.opencl;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DeviceKind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A device of OpenCL, with the context that all its arenas share. Threads: safe for any thread. */
final class ClDevice {
    /** Below the usual priorities: a backend with kernels comes first, and the provider {@code cpu} needs no driver. */
    private static final int PRIORITY_LESS = 40;

    private static final int BITS = 8;

    private static List<ClDevice> devices = List.of();

    final MemorySegment id;
    final ArenaDevice device;
    private MemorySegment context = MemorySegment.NULL;

    private ClDevice(MemorySegment id, ArenaDevice device) {
        this.id = id;
        this.device = device;
    }

    /** The devices of all platforms; they are asked for until there is one, and kept then. */
    static synchronized List<ClDevice> all() {
        if (devices.isEmpty()) {
            List<ClDevice> found = new ArrayList<>();
            for (MemorySegment platform : OpenCl.platforms()) {
                for (MemorySegment id : OpenCl.devices(platform)) {
                    if (OpenCl.number(id, OpenCl.CL_DEVICE_AVAILABLE) != 0) {
                        found.add(new ClDevice(id, describe(id, found.size())));
                    }
                }
            }
            devices = List.copyOf(found);
        }
        return devices;
    }

    static ClDevice of(ArenaDevice device) {
        return all().stream()
                .filter(one -> one.device.equals(device))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "device: expected one that probe() lists, got '" + device.name() + "'"));
    }

    private static ArenaDevice describe(MemorySegment id, int index) {
        DeviceKind kind = kind(id);
        long largest = Math.max(OpenCl.number(id, OpenCl.CL_DEVICE_MAX_MEM_ALLOC_SIZE), 1);
        long bits = OpenCl.number(id, OpenCl.CL_DEVICE_MEM_BASE_ADDR_ALIGN);
        return new ArenaDevice(
                OpenClProvider.NAME,
                index,
                OpenCl.text(id, OpenCl.CL_DEVICE_NAME),
                OpenCl.text(id, OpenCl.CL_DEVICE_VERSION) + ", driver " + OpenCl.text(id, OpenCl.CL_DRIVER_VERSION)
                        + ", " + (OpenCl.number(id, OpenCl.CL_DEVICE_GLOBAL_MEM_SIZE) >> 20) + " MiB",
                kind,
                kind.priority() - PRIORITY_LESS,
                new ArenaLimits(
                        largest,
                        "CL_DEVICE_MAX_MEM_ALLOC_SIZE",
                        Math.max(Long.highestOneBit(bits / BITS), Long.BYTES),
                        largest),
                Set.of());
    }

    private static DeviceKind kind(MemorySegment id) {
        long type = OpenCl.number(id, OpenCl.CL_DEVICE_TYPE);
        if ((type & OpenCl.CL_DEVICE_TYPE_CPU) != 0) {
            return DeviceKind.HOST;
        }
        if ((type & OpenCl.CL_DEVICE_TYPE_GPU) == 0) {
            return DeviceKind.ACCELERATOR;
        }
        return OpenCl.number(id, OpenCl.CL_DEVICE_HOST_UNIFIED_MEMORY) != 0
                ? DeviceKind.INTEGRATED_GPU
                : DeviceKind.DISCRETE_GPU;
    }

    /** The PCI address, else the UUID. */
    Optional<String> identity() {
        ByteBuffer bus = ByteBuffer.wrap(OpenCl.info(id, OpenCl.CL_DEVICE_PCI_BUS_INFO_KHR))
                .order(ByteOrder.nativeOrder());
        if (bus.remaining() >= 4 * Integer.BYTES) {
            return Optional.of(String.format(
                    Locale.ROOT, "pci:%04x:%02x:%02x.%x", bus.getInt(), bus.getInt(), bus.getInt(), bus.getInt()));
        }
        ByteBuffer uuid = ByteBuffer.wrap(OpenCl.info(id, OpenCl.CL_DEVICE_UUID_KHR));
        return uuid.remaining() < 2 * Long.BYTES
                ? Optional.empty()
                : Optional.of("uuid:" + new UUID(uuid.getLong(), uuid.getLong()));
    }

    /** The context, made at first use and kept: it costs more than an arena. */
    synchronized MemorySegment context() {
        if (context.address() == 0) {
            context = OpenCl.createContext(id);
        }
        return context;
    }
}
