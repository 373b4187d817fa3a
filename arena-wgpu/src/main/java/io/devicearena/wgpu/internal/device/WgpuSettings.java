package io.devicearena.wgpu.internal.device;

import java.util.Optional;

/** What users set for this backend: a property of the virtual machine, else a variable of the system. Threads: immutable. */
enum WgpuSettings {
    ADAPTER("devicearena.wgpu.adapter", "DEVICEARENA_WGPU_ADAPTER"),
    BACKEND("devicearena.wgpu.backend", "DEVICEARENA_WGPU_BACKEND"),
    NO_F16_SHADOW("devicearena.noF16Shadow", "DEVICEARENA_NO_F16_SHADOW");

    private final String property;
    private final String variable;

    WgpuSettings(String property, String variable) {
        this.property = property;
        this.variable = variable;
    }

    String variable() {
        return variable;
    }

    /** The value, or empty when it is not set or blank. */
    Optional<String> value() {
        String set = System.getProperty(property);
        if (set == null) {
            set = System.getenv(variable);
        }
        return Optional.ofNullable(set).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** Whether a switch is on: set to anything but 0, false, no or off. */
    boolean isOn() {
        return value().filter(text -> !text.equals("0")
                        && !text.equalsIgnoreCase("false")
                        && !text.equalsIgnoreCase("no")
                        && !text.equalsIgnoreCase("off"))
                .isPresent();
    }
}
