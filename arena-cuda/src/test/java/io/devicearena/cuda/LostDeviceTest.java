package io.devicearena.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.DriverProcess;
import io.devicearena.cuda.testing.LoseFirstDevice;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a process can still do after a kernel wrote to an illegal address. On the test driver other GPUs go on; on two
 * H200s they were lost too.
 */
class LostDeviceTest {
    private static final String LOST =
            " DeviceLostException: expected success, got CUDA_ERROR_ILLEGAL_ADDRESS (700), an"
                    + " illegal memory access was encountered; CUDA is lost to this process: close its arenas, and start a new"
                    + " process or use another provider\n";

    @Test
    void kernelWithAnIllegalAddress_losesItsGpuAndThrows() throws Exception {
        String printed =
                DriverProcess.run(CudaDrivers.options(), Map.of("TESTDRIVER_DEVICES", "2"), LoseFirstDevice.class);
        String first = "0" + LOST;
        String other = printed.contains("1 works\n") ? "1 works\n" : "1" + LOST;
        String others = printed.contains("\n1 ") ? other : ""; // a machine may have one GPU
        assertThat(printed).isEqualTo(first + first + others + others + first + others);
    }
}
