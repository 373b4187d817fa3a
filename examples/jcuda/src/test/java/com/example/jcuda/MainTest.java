package com.example.jcuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.devicearena.cuda.CudaDeviceArenaProvider;
import io.devicearena.spi.Availability;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void aKernelOfJCuda_worksInTheMemoryOfAnArena() {
        switch (new CudaDeviceArenaProvider().probe()) {
            case Availability.Missing missing -> {
                String required = String.valueOf(System.getenv("DEVICEARENA_REQUIRE"));
                if (Arrays.asList(required.split(",")).contains("cuda")) {
                    fail("DEVICEARENA_REQUIRE names cuda: " + missing.reason());
                }
                abort(missing.reason() + "; " + missing.remedy());
            }
            case Availability.Ready ready -> {
                float[] twice = {2, -4, 0.5f};
                Main.Read read = Main.twice(ready.devices().getFirst(), 1, -2, 0.25f);
                assertArrayEquals(twice, read.byArena());
                assertArrayEquals(twice, read.byJCuda());
            }
        }
    }
}
