package io.devicearena.conformance.sequence;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Simpler calls: each {@code long} smaller, lists shorter, and what is not a number the first of its kind. */
final class Simpler {
    /** Of longer lists the first elements are made simpler. */
    private static final int FIRST = 8;

    private Simpler() {}

    /** Values that differ from one in one place, the simplest first. */
    @SuppressWarnings("unchecked") // each is of the class of the value
    static <T extends @Nullable Object> Stream<T> than(T value) {
        Stream<?> simpler = switch (value) {
            case Long number ->
                LongStream.concat(LongStream.of(0, 1), smaller(number))
                        .filter(one -> one >= 0 && one < number)
                        .boxed()
                        .distinct();
            case CallerMemory memory when !memory.equals(CallerMemory.PLAIN) -> Stream.of(CallerMemory.PLAIN);
            case Place place when !place.equals(Place.at(0)) -> Stream.of(Place.at(0));
            case Record record -> elements(values(record)).map(values -> make(record.getClass(), values));
            case List<?> list -> Stream.concat(shorter(list), elements(list));
            case null, default -> Stream.empty();
        };
        return (Stream<T>) simpler;
    }

    /** Lists with one element that is simpler. */
    private static <T extends @Nullable Object> Stream<List<T>> elements(List<T> list) {
        return IntStream.range(0, Math.min(FIRST, list.size()))
                .boxed()
                .flatMap(i -> than(list.get(i)).map(simpler -> {
                    List<T> changed = new ArrayList<>(list);
                    changed.set(i, simpler);
                    return changed;
                }));
    }

    /** Numbers from the half of one to the one before it: each step is an eighth of the last one. */
    private static LongStream smaller(long number) {
        return IntStream.iterate(1, shift -> shift < Long.SIZE, shift -> shift + 3)
                .mapToLong(shift -> number - Math.max(1, number >> shift));
    }

    /** Lists without a part, halves first and single elements last. */
    private static <T> Stream<List<T>> shorter(List<T> list) {
        return IntStream.iterate(list.size() / 2, part -> part > 0, part -> part / 2)
                .boxed()
                .flatMap(part -> IntStream.iterate(0, from -> from < list.size(), from -> from + part)
                        .mapToObj(from -> without(list, from, part)));
    }

    /** A list without a part. */
    static <T> List<T> without(List<T> list, int from, int part) {
        List<T> fewer = new ArrayList<>(list);
        fewer.subList(from, Math.min(list.size(), from + part)).clear();
        return fewer;
    }

    private static List<@Nullable Object> values(Record record) {
        List<@Nullable Object> values = new ArrayList<>();
        try {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                values.add(component.getAccessor().invoke(record));
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the components of " + record, e);
        }
        return values;
    }

    private static Record make(Class<? extends Record> type, List<?> values) {
        try {
            Class<?>[] types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            return type.getDeclaredConstructor(types).newInstance(values.toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a record like " + type, e);
        }
    }
}
