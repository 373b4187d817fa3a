package io.devicearena.conformance.sequence;

import io.devicearena.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * One way of the bytes of one kind.
 *
 * @param isWrite the direction
 * @param type how the region is named
 * @param way the method
 * @param dtype of elements or floats
 */
record Form(boolean isWrite, Region.Type type, Way way, DType dtype) {
    static final List<DType> FLOATS = List.of(DType.F32, DType.F16, DType.BF16);
    static final List<DType> ALL = List.of(DType.values());
    private static final List<Way> FLOATS_IN = List.of(Way.DIRECT, Way.ARRAY, Way.BATCH, Way.DEFERRED);
    private static final List<Way> FLOATS_OUT = List.of(Way.DIRECT, Way.ARRAY, Way.NEW_ARRAY, Way.BATCH, Way.DEFERRED);

    /** A range, by one call. */
    static Form range(boolean isWrite) {
        return new Form(isWrite, Region.Type.BYTES, Way.DIRECT, DType.U8);
    }

    /** Ranges, and parts of values. */
    static List<Form> bytes(boolean isWrite) {
        List<Form> all = new ArrayList<>();
        all.add(new Form(isWrite, Region.Type.PART, Way.DIRECT, DType.U8));
        Way other = isWrite ? Way.PROGRESS : Way.MAPPED;
        for (Way way : List.of(Way.DIRECT, other, Way.SHARED, Way.BATCH, Way.DEFERRED)) {
            all.add(new Form(isWrite, Region.Type.BYTES, way, DType.U8));
        }
        return all;
    }

    /** Host floats of one type. */
    static List<Form> floats(boolean isWrite, DType dtype) {
        return (isWrite ? FLOATS_IN : FLOATS_OUT)
                .stream()
                        .map(way -> new Form(isWrite, Region.Type.FLOATS, way, dtype))
                        .toList();
    }

    /** Elements of some types, deferred or not by turns. */
    static List<Form> elements(boolean isWrite, List<DType> types, int turn) {
        List<Form> all = new ArrayList<>();
        for (DType dtype : types) {
            Way way = (ALL.indexOf(dtype) + turn) % 2 == 0 ? Way.BATCH : Way.DEFERRED;
            all.add(new Form(isWrite, Region.Type.ELEMENTS, way, dtype));
        }
        return all;
    }

    /** Every way, with elements of some types. */
    static List<Form> all(boolean isWrite, List<DType> elements) {
        List<Form> all = new ArrayList<>(bytes(isWrite));
        FLOATS.forEach(dtype -> all.addAll(floats(isWrite, dtype)));
        all.addAll(elements(isWrite, elements, 0));
        all.addAll(elements(isWrite, elements, 1));
        return all;
    }

    boolean isTyped() {
        return type.isTyped();
    }
}
