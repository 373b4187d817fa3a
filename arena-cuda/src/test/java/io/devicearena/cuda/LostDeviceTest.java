package io.devicearena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.DriverProcess;
import io.devicearena.cuda.testing.LoseFirstDevice;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a process can still do after a kernel wrote to an illegal address, on the driver of this machine's tests. */
class LostDeviceTest {
    private static final String LOST =
            "0 DeviceLostException: expected success, got CUDA_ERROR_ILLEGAL_ADDRESS (700), an illegal memory access"
                    + " was encountered; the GPU is lost to this process: close its arenas, and start a new process or use"
                    + " another device\n";

    @Test
    void kernelWithAnIllegalAddress_losesItsGpuAlone() throws Exception {
        String printed =
                DriverProcess.run(CudaDrivers.options(), Map.of("TESTDRIVER_DEVICES", "2"), LoseFirstDevice.class);
        String others = printed.contains("1 works\n") ? "1 works\n" : ""; // a machine may have one GPU
        assertThat(printed).isEqualTo(LOST + LOST + others + others + LOST + others);
    }
}
