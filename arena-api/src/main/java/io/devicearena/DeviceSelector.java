package io.devicearena;

import java.util.Locale;
import java.util.Objects;

/**
 * Selects devices of a provider, by index or by name.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface DeviceSelector {
    /**
     * Returns whether a device is selected.
     *
     * @param device a device
     * @return true when it is
     */
    boolean matches(ArenaDevice device);

    /**
     * Selects the device at a position of its provider's list.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param index the position, 0 or more
     */
    record ByIndex(int index) implements DeviceSelector {
        /**
         * Makes the selector.
         *
         * @throws IllegalArgumentException if {@code index} is negative
         */
        public ByIndex {
            if (index < 0) {
                throw new IllegalArgumentException("device index: expected 0 or more, got " + index);
            }
        }

        @Override
        public boolean matches(ArenaDevice device) {
            return device.index() == index;
        }

        @Override
        public String toString() {
            return "index " + index;
        }
    }

    /**
     * Selects devices whose name contains a text, whatever its case.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param part the text, not blank
     */
    record ByName(String part) implements DeviceSelector {
        /**
         * Makes the selector.
         *
         * @throws IllegalArgumentException if {@code part} is blank
         */
        public ByName {
            Objects.requireNonNull(part, "part");
            if (part.isBlank()) {
                throw new IllegalArgumentException("device name: expected a part of a name, got '" + part + "'");
            }
        }

        @Override
        public boolean matches(ArenaDevice device) {
            return device.name().toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
        }

        @Override
        public String toString() {
            return "name containing '" + part + "'";
        }
    }
}
