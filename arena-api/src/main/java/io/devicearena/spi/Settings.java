package io.devicearena.spi;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings from outside the program, by one rule for all of them: a system property comes before the environment
 * variable of the same name; a blank text counts as not set; white space around a value is removed.
 *
 * <p>The name of the variable follows from the property: {@code devicearena.wgpu.segmentBytes} is also {@code
 * DEVICEARENA_WGPU_SEGMENT_BYTES}.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class Settings {
    private static final Settings OF_PROCESS = new Settings(System::getProperty, System::getenv);

    private final Function<String, @Nullable String> properties;
    private final Function<String, @Nullable String> variables;

    private Settings(Function<String, @Nullable String> properties, Function<String, @Nullable String> variables) {
        this.properties = properties;
        this.variables = variables;
    }

    /**
     * Makes settings with other values than those of the process, for tests.
     *
     * @param properties the properties by name
     * @param variables the environment variables by name
     * @return the settings
     */
    public static Settings of(Map<String, String> properties, Map<String, String> variables) {
        return new Settings(Map.copyOf(properties)::get, Map.copyOf(variables)::get);
    }

    /**
     * A value and where it was set.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param source where it was set, for messages: {@code property NAME} or {@code variable NAME}
     * @param value the value, not blank, without white space around it
     */
    public record Setting(String source, String value) {
        /** Makes a setting. */
        public Setting {
            Objects.requireNonNull(source, "source");
            Objects.requireNonNull(value, "value");
        }
    }

    /** {@return the settings of this process, always the same object} */
    public static Settings ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Reads a setting of this process.
     *
     * @param property the name of the property
     * @return the value, or empty if neither the property nor the variable is set
     */
    public static Optional<String> read(String property) {
        return OF_PROCESS.find(property).map(Setting::value);
    }

    /**
     * Reads a setting, with where it was set.
     *
     * @param property the name of the property
     * @return the setting, or empty if neither the property nor the variable is set
     */
    public Optional<Setting> find(String property) {
        return property(property)
                .map(value -> new Setting("property " + property, value))
                .or(() -> variable(variableOf(property))
                        .map(value -> new Setting("variable " + variableOf(property), value)));
    }

    /**
     * Reads a system property only.
     *
     * @param name the name of the property
     * @return the value, or empty if it is not set or blank
     */
    public Optional<String> property(String name) {
        return value(properties.apply(Objects.requireNonNull(name, "name")));
    }

    /**
     * Reads an environment variable only.
     *
     * @param name the name of the variable
     * @return the value, or empty if it is not set or blank
     */
    public Optional<String> variable(String name) {
        return value(variables.apply(Objects.requireNonNull(name, "name")));
    }

    private static Optional<String> value(@Nullable String text) {
        return Optional.ofNullable(text).map(String::strip).filter(value -> !value.isEmpty());
    }

    /**
     * Returns the name of the environment variable of a property: upper case, with underscores for dots and before each
     * upper-case letter.
     *
     * @param property the name of the property
     * @return the name of the variable
     */
    public static String variableOf(String property) {
        return property.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
                .replace('.', '_')
                .toUpperCase(Locale.ROOT);
    }
}
