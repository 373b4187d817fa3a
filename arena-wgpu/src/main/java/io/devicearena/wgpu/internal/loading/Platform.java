package io.devicearena.wgpu.internal.loading;

import io.devicearena.spi.Settings;
import java.util.Locale;

/** An operating system and a processor, as the names of natives jars spell them. Threads: immutable. */
record Platform(String os, String arch) {
    static final String LINUX = "linux";
    static final String MACOS = "macos";
    static final String WINDOWS = "windows";

    /** Reads the platform from the properties of the JVM. */
    static Platform of(Settings settings) {
        return of(
                settings.property("os.name").orElse("unknown"),
                settings.property("os.arch").orElse("unknown"));
    }

    /** Translates the JVM's names; a system without a natives jar keeps the JVM's name. */
    static Platform of(String osName, String osArch) {
        String name = osName.toLowerCase(Locale.ROOT);
        String os = name.startsWith("mac") || name.startsWith("darwin")
                ? MACOS
                : name.startsWith("windows") ? WINDOWS : name.replace(' ', '_');
        String arch = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64", "x86-64", "x64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> osArch.toLowerCase(Locale.ROOT);
        };
        return new Platform(os, arch);
    }

    @Override
    public String toString() {
        return os + "-" + arch;
    }
}
