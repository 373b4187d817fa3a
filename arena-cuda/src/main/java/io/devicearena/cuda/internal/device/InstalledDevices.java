package io.devicearena.cuda.internal.device;

import io.devicearena.ArenaDevice;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.driver.CudaLibrary;
import io.devicearena.spi.Availability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

    private final Availability answer;
    private final List<InstalledDevice> devices;

    /** Holds the answer of the process, which is made at the first question. */
    private static final class OfProcess {
        static final InstalledDevices DEVICES = find(CudaLibrary.ofProcess(), System.getenv());

        private OfProcess() {}
    }

    private InstalledDevices(Availability answer, List<InstalledDevice> devices) {
        this.answer = answer;
        this.devices = List.copyOf(devices);
    }

    /** The devices of this process. */
    public static InstalledDevices ofProcess() {
        return OfProcess.DEVICES;
    }

    static InstalledDevices find(CudaLibrary library, Map<String, String> variables) {
        try {
            List<InstalledDevice> found = new ArrayList<>();
            Optional<Availability.Missing> missing = library.unusable().or(() -> list(found, variables));
            List<ArenaDevice> listed =
                    found.stream().map(InstalledDevice::device).toList();
            return new InstalledDevices(
                    missing.<Availability>map(why -> why).orElseGet(() -> new Availability.Ready(listed)), found);
        } catch (UnsatisfiedLinkError e) {
            return new InstalledDevices(
                    new Availability.Missing(String.valueOf(e.getMessage()), CudaLibrary.INSTALL), List.of());
        }
    }

    /** Lists the devices, or says why there are none. */
    private static Optional<Availability.Missing> list(List<InstalledDevice> found, Map<String, String> variables) {
        int error = Cuda.init();
        if (error != 0 && error != Cuda.ERROR_NO_DEVICE) {
            return missing(
                    "cuInit: expected success, got " + Cuda.text(error),
                    REMEDIES.getOrDefault(error, "run nvidia-smi, which reports faults of the driver"));
        }
        long count = error == 0 ? Cuda.DEVICE_COUNT.answer(0) : 0;
        for (int i = 0; i < count; i++) {
            found.add(InstalledDevice.of((int) Cuda.DEVICE.answer(i), i));
        }
        if (!found.isEmpty()) {
            return Optional.empty();
        }
        String visible = variables.get(VISIBLE);
        return visible == null
                ? missing(
                        "the CUDA driver lists no GPU",
                        "check that nvidia-smi lists one, and that this user may" + DEVICES)
                : missing(
                        "the CUDA driver lists no GPU with " + VISIBLE + "='" + visible + "'",
                        "unset the variable, or let it name a GPU that nvidia-smi lists");
    }

    private static Optional<Availability.Missing> missing(String reason, String remedy) {
        return Optional.of(new Availability.Missing(reason, remedy));
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
