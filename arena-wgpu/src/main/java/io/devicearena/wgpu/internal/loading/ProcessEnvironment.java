package io.devicearena.wgpu.internal.loading;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the process was told from outside: its system properties and its environment. */
record ProcessEnvironment(Lookup properties, Lookup variables) {
    /** A value by its name, null when there is none. */
    interface Lookup {
        @Nullable String of(String name);
    }

    static ProcessEnvironment ofProcess() {
        return new ProcessEnvironment(System::getProperty, System::getenv);
    }

    /** A setting under the name of the source that won, so that a message can say which one to change. */
    record Setting(String source, String value) {}

    /** The property wins over the variable; an empty value is none. */
    Optional<Setting> setting(String property, String variable) {
        return property(property)
                .map(value -> new Setting("property " + property, value))
                .or(() -> variable(variable).map(value -> new Setting("variable " + variable, value)));
    }

    Optional<String> property(String name) {
        return Optional.ofNullable(properties.of(name)).filter(value -> !value.isEmpty());
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.of(name)).filter(value -> !value.isEmpty());
    }

    Platform platform() {
        return Platform.of(
                property("os.name").orElse("unknown"), property("os.arch").orElse("unknown"));
    }
}
