package io.devicearena.conformance.runner;

import io.devicearena.DeviceArena;
import io.devicearena.spi.SpiVersion;

/**
 * The environment of a run of the kit.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param version of Device Arena
 * @param spiVersion of the provider SPI
 * @param java the Java runtime and its version
 * @param system the operating system, its version and the machine's architecture
 * @param processors how many processors the Java runtime has, 1 or more
 */
public record Environment(String version, int spiVersion, String java, String system, int processors) {
    static Environment here() {
        String version = DeviceArena.class.getPackage().getImplementationVersion();
        return new Environment(
                version == null ? "(development)" : version,
                SpiVersion.CURRENT,
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors());
    }
}
