package io.devicearena.conformance.sequence;

import io.devicearena.DeviceArena;
import io.devicearena.SegmentLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An open arena or view, and what it must hold. */
final class Held {
    /** Values whose ends are points of interest. */
    private static final int NAMED = 16;

    final int key;
    final DeviceArena arena;
    final Layout layout;
    final Model model;
    final long size;

    /** Points of interest: the ends of the arena, of its plan, of its segments and of its values. */
    final List<Long> anchors = new ArrayList<>();

    private final Map<Integer, Long> lengths = new HashMap<>();

    Held(int key, DeviceArena arena, Layout layout, Model model) {
        this.key = key;
        this.arena = arena;
        this.layout = layout;
        this.model = model;
        this.size = arena.sizeBytes();
        anchors.add(size);
        anchors.add(arena.scratchOffset());
        SegmentLayout segments = arena.segments();
        for (int i = 0; i + 1 < segments.count(); i++) {
            anchors.add(segments.end(i));
        }
        for (int i = 0; i < Math.min(NAMED, layout.count()); i++) {
            anchors.add(layout.value(i).offset());
            anchors.add(layout.value(i).end());
        }
    }

    /** The offset of a place, within the arena. */
    long offset(Place place) {
        long from = place.anchor() < 0 ? 0 : anchors.get(place.anchor() % anchors.size());
        return Math.clamp(from + place.delta(), 0, size);
    }

    /** The arena's own bytes, if they are wanted and the device has them. */
    Optional<MemorySegment> own(boolean isWanted) {
        return isWanted ? arena.unwrap(MemorySegment.class) : Optional.empty();
    }

    long length(int value) {
        return lengths.getOrDefault(value, layout.value(value).bytes());
    }

    void setLength(int value, long bytes) {
        lengths.put(value, bytes);
    }
}
