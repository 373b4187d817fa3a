package io.devicearena.spi.observation;

import io.devicearena.ArenaDevice;

/**
 * What events and log lines say of an arena. It does not refer to the arena.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the label of its options
 * @param device where its memory is
 * @param bytes its size, scratch included
 * @param segments its number of segments, 1 or more
 * @param view whether it uses the memory of another arena
 */
public record ArenaIdentity(String label, ArenaDevice device, long bytes, int segments, boolean view) {
    /** {@return the arena as log lines and {@code toString} name it} */
    public String text() {
        return "device arena '" + label + "' of " + bytes + " bytes on '" + device.name() + "'";
    }
}
