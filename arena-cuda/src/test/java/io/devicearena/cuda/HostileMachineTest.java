package io.devicearena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.DriverProcess;
import io.devicearena.cuda.testing.OpenEachDevice;
import io.devicearena.cuda.testing.TestDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process prints on machines that lack something; each in a process of its own. */
class HostileMachineTest {
    private static final String NAME = "test driver over host memory ";

    private static final String UNREADABLE =
            "missing: property devicearena.cuda.library: expected the library of the CUDA"
                    + " driver, got 'FOLDER/%s', which does not load; correct the path, or unset it\n";

    private static final String INCOMPLETE = "missing: 'FOLDER/%s': expected the library of the CUDA driver, got one"
            + " without %s; install the NVIDIA driver 525 or newer; in a container, run it with the NVIDIA runtime\n";

    @TempDir
    private Path scratch;

    @Test
    void pathOfNoLibrary_isNamed() throws Exception {
        Path file = scratch.resolve("absent.so");
        assertThat(run(file, Map.of())).endsWith(String.format(Locale.ROOT, UNREADABLE, "absent.so"));
    }

    @Test
    void emptyFile_isNoLibrary() throws Exception {
        Path file = Files.createFile(scratch.resolve("empty.so"));
        assertThat(run(file, Map.of())).endsWith(String.format(Locale.ROOT, UNREADABLE, "empty.so"));
    }

    @Test
    void libraryOfSomethingElse_isNoDriver() throws Exception {
        Path other = TestDriver.compile(scratch.resolve("other.so"), "-DcuDriverGetVersion=other");
        assertThat(run(other, Map.of()))
                .endsWith(String.format(Locale.ROOT, INCOMPLETE, "other.so", "cuDriverGetVersion"));
    }

    @Test
    void libraryWithoutAFunction_isMissing() throws Exception {
        Path lacking = TestDriver.compile(scratch.resolve("lacking.so"), "-DcuMemHostAlloc=other");
        assertThat(run(lacking, Map.of()))
                .endsWith(String.format(Locale.ROOT, INCOMPLETE, "lacking.so", "cuMemHostAlloc"));
    }

    @Test
    void driverThatIsTooOld_isNamedWithTheOneThatIsNeeded() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_VERSION", "11080")))
                .endsWith("missing: the NVIDIA driver: expected support of CUDA 12.0 or newer, got 11.8; install driver"
                        + " 525 or newer\n");
    }

    @Test
    void noGpu_isMissing() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_DEVICES", "0")))
                .endsWith("missing: the CUDA driver lists no GPU; check that nvidia-smi lists one, and that this user"
                        + " may read and write /dev/nvidia*; in a container, run it with the NVIDIA runtime\n");
    }

    @Test
    void emptyVisibleDevices_areNamed() throws Exception {
        assertThat(run(Map.of("CUDA_VISIBLE_DEVICES", "")))
                .endsWith("missing: the CUDA driver lists no GPU with CUDA_VISIBLE_DEVICES=''; unset the variable, or"
                        + " let it name a GPU that nvidia-smi lists\n");
    }

    @Test
    void noPermission_isMissing() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_INIT_ERROR", "304")))
                .endsWith("missing: cuInit: expected success, got CUDA_ERROR_OPERATING_SYSTEM (304), OS call failed or"
                        + " operation not supported on this OS; let this user read and write /dev/nvidia*; in a"
                        + " container, run it with the NVIDIA runtime\n");
    }

    @Test
    void libraryOfAnotherVersionThanTheKernelsDriver_isMissing() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_INIT_ERROR", "803")))
                .endsWith("missing: cuInit: expected success, got CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803), system has"
                        + " unsupported display driver / cuda driver combination; restart the machine: the driver"
                        + " of the kernel is another version than the library\n");
    }

    @Test
    void deviceThatAnotherProcessHasForItself_isListedAndDoesNotOpen() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_COMPUTE_MODE", "3")))
                .endsWith(NAME + "0: io.devicearena.DeviceException: cuDevicePrimaryCtxRetain: expected success, got"
                        + " CUDA_ERROR_DEVICE_UNAVAILABLE (46), CUDA-capable device(s) is/are busy or"
                        + " unavailable; another process has the GPU to itself: end it, or run nvidia-smi -c"
                        + " DEFAULT\n");
    }

    @Test
    void severalDevices_areUsedAtATime() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_DEVICES", "3")))
                .isEqualTo(NAME + "0: [0.0, 2.0]\n" + NAME + "1: [1.0, 2.0]\n" + NAME + "2: [2.0, 2.0]\n");
    }

    @Test
    void visibleDevices_areListedInTheirOrder() throws Exception {
        assertThat(run(Map.of("TESTDRIVER_DEVICES", "3", "CUDA_VISIBLE_DEVICES", "2,0,7,1")))
                .isEqualTo(NAME + "2: [0.0, 2.0]\n" + NAME + "0: [1.0, 2.0]\n");
    }

    private String run(Map<String, String> variables) throws Exception {
        return run(TestDriver.library(), variables);
    }

    private String run(Path library, Map<String, String> variables) throws Exception {
        return DriverProcess.run(CudaDrivers.options(library), variables, OpenEachDevice.class)
                .replace(scratch.toString(), "FOLDER");
    }
}
