package io.devicearena.cuda.internal.device;

import io.devicearena.ArenaDevice;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.driver.CudaLibrary;
import io.devicearena.spi.Availability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The GPUs that the driver lists, or why there are none.
 *
 * <p>Threads: immutable.
 */
public final class InstalledDevices {
    /** The name of the provider. */
    public static final String PROVIDER = "cuda";

    private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    private static final String DEVICES =
            " read and write /dev/nvidia*; in a container, run it with the NVIDIA runtime";
    private static final String PERMIT = "let this user" + DEVICES;

    /** What to do about an error of {@code cuInit}. */
    private static final Map<Integer, String> REMEDIES = Map.of(
            34, "the library is a stub for linking: put the one of the driver in front of it",
            304, PERMIT,
            800, PERMIT,
            802, "start the services of the driver, such as nvidia-fabricmanager",
            803, "restart the machine: the driver of the kernel is another version than the library",
            804, "remove the compatibility library of CUDA: this GPU does not support it");

    private static final InstalledDevices OF_PROCESS = new InstalledDevices();

    private final List<InstalledDevice> devices = new ArrayList<>();
    private final Availability answer = find();

    private InstalledDevices() {}

    /** The devices of this process, found at the first question. */
    public static InstalledDevices ofProcess() {
        return OF_PROCESS;
    }

    private Availability find() {
        try {
            return CudaLibrary.ofProcess()
                    .unusable()
                    .<Availability>map(why -> why)
                    .orElseGet(this::list);
        } catch (UnsatisfiedLinkError e) {
            return new Availability.Missing(String.valueOf(e.getMessage()), CudaLibrary.INSTALL);
        }
    }

    private Availability list() {
        int error = Cuda.init();
        if (error != 0 && error != Cuda.ERROR_NO_DEVICE) {
            return new Availability.Missing(
                    "cuInit: expected success, got " + Cuda.text(error),
                    REMEDIES.getOrDefault(error, "run nvidia-smi, which reports faults of the driver"));
        }
        long count = error == 0 ? Cuda.DEVICE_COUNT.answer(0) : 0;
        for (int i = 0; i < count; i++) {
            devices.add(InstalledDevice.of((int) Cuda.DEVICE.answer(i), i));
        }
        if (!devices.isEmpty()) {
            return new Availability.Ready(
                    devices.stream().map(InstalledDevice::device).toList());
        }
        String visible = System.getenv(VISIBLE);
        return visible == null
                ? new Availability.Missing(
                        "the CUDA driver lists no GPU",
                        "check that nvidia-smi lists one, and that this user may" + DEVICES)
                : new Availability.Missing(
                        "the CUDA driver lists no GPU with " + VISIBLE + "='" + visible + "'",
                        "unset the variable, or let it name a GPU that nvidia-smi lists");
    }

    /** The devices, or why there are none. */
    public Availability answer() {
        return answer;
    }

    /** Finds what was listed as a device. */
    public InstalledDevice require(ArenaDevice device) {
        int index = Objects.requireNonNull(device, "device").index();
        if (index >= devices.size() || !devices.get(index).device().equals(device)) {
            throw new IllegalArgumentException("device: expected one of provider '" + PROVIDER + "', got '"
                    + device.name() + "' of provider '" + device.provider() + "'; pass what probe() lists");
        }
        return devices.get(index);
    }
}
