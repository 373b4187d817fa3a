package io.devicearena.wgpu.faults;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;

import io.devicearena.spi.Availability;
import io.devicearena.wgpu.WgpuDeviceArenaProvider;

/** A program that looks for devices while a call fails, and prints why there is none. */
final class FaultyProbe {
    private FaultyProbe() {}

    public static void main(String[] arguments) throws Throwable {
        try (Faults faults = new Faults()) {
            faults.arm(Integer.getInteger(FaultyCalls.CALLS), Fault.Kind.VALIDATION, 1);
            Availability availability = new WgpuDeviceArenaProvider().probe();
            String text = availability instanceof Availability.Missing missing ? missing.reason() : "there are devices";
            OUT.println((faults.disarm() ? "failed: " : "not reached: ") + text);
        }
    }
}
