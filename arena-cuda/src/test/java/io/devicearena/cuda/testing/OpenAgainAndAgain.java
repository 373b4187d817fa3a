package io.devicearena.cuda.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.cuda.CudaDeviceArenaProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that opens and closes arenas, and prints by how many KiB its memory grew during the last ones. */
public final class OpenAgainAndAgain {
    /** The property with the number of those whose growth counts. */
    public static final String ARENAS = "devicearena.arenas";

    /** The arenas of a build. */
    public static final int USUAL_ARENAS = 4_000;

    /** What is made once is made by then, compiled code included. */
    private static final int SETTLED = 2_000;

    private OpenAgainAndAgain() {}

    /** Runs it; there are no arguments. */
    @SuppressWarnings("SystemOut") // a program
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        CudaDeviceArenaProvider provider = new CudaDeviceArenaProvider();
        ArenaDevice device = CudaDrivers.device(provider);
        float[] floats = {1, 2, 3};
        long settled = 0;
        int opens = SETTLED + Integer.getInteger(ARENAS, USUAL_ARENAS);
        for (int i = 0; i < opens; i++) {
            if (i == SETTLED) {
                settled = residentKib();
            }
            try (DeviceArena arena = provider.openArena(device, CudaDrivers.plan(1 << 16), ArenaOptions.defaults())) {
                arena.writeInputF32(CudaDrivers.VALUE, DType.F32, floats);
                arena.readOutputF32(CudaDrivers.VALUE, DType.F32, floats);
            }
        }
        out.println(residentKib() - settled);
    }

    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }
}
