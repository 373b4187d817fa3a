package io.devicearena.wgpu.internal.loading;

import java.util.Locale;

/** An operating system and a processor, in the words that natives jars are named with. */
record Platform(String os, String arch) {
    static final String LINUX = "linux";
    static final String MACOS = "macos";
    static final String WINDOWS = "windows";

    /** Reads what the JVM says of itself; a system that has no natives jar keeps the JVM's own words. */
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
