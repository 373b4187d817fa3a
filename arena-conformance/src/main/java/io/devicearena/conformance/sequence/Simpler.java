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

    /** Records that differ from one in one component, the simplest first. */
    static Stream<Record> than(Record record) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values =
                Arrays.stream(components).map(one -> value(record, one)).toArray();
        Stream<Record> all = Stream.empty();
        for (int i = 0; i < components.length; i++) {
            int changed = i;
            boolean isSize = components[i].getType() == long.class;
            all = Stream.concat(all, simpler(values[i], isSize).map(simple -> {
                Object[] others = values.clone();
                others[changed] = simple;
                return make(record.getClass(), components, others);
            }));
        }
        return all;
    }

    private static Stream<?> simpler(@Nullable Object value, boolean isSize) {
        return switch (value) {
            case Long number
            when isSize ->
                LongStream.concat(LongStream.of(0, 1), smaller(number))
                        .filter(one -> one >= 0 && one < number)
                        .boxed()
                        .distinct();
            case CallerMemory memory when !memory.equals(CallerMemory.PLAIN) -> Stream.of(CallerMemory.PLAIN);
            case Place place when !place.equals(Place.at(0)) -> Stream.of(Place.at(0));
            case Record record -> than(record);
            case List<?> list -> shorter(list);
            case null, default -> Stream.empty();
        };
    }

    /** Numbers from the half of one to the one before it: each step is an eighth of the last one. */
    private static LongStream smaller(long number) {
        return IntStream.iterate(1, shift -> shift < Long.SIZE, shift -> shift + 3)
                .mapToLong(shift -> number - Math.max(1, number >> shift));
    }

    private static Stream<List<?>> shorter(List<?> list) {
        List<List<?>> all = new ArrayList<>();
        for (int part = list.size() / 2; part > 0; part /= 2) {
            for (int from = 0; from < list.size(); from += part) {
                all.add(without(list, from, part));
            }
        }
        Stream<List<?>> some = Stream.iterate(0, i -> i + 1)
                .limit(Math.min(FIRST, list.size()))
                .flatMap(i -> simpler(list.get(i), false).map(simple -> {
                    List<Object> changed = new ArrayList<>(list);
                    changed.set(i, simple);
                    return changed;
                }));
        return Stream.concat(all.stream(), some);
    }

    /** A list without a part. */
    static <T> List<T> without(List<T> list, int from, int part) {
        List<T> fewer = new ArrayList<>(list.subList(0, from));
        fewer.addAll(list.subList(Math.min(list.size(), from + part), list.size()));
        return fewer;
    }

    private static @Nullable Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a component of " + record, e);
        }
    }

    private static Record make(Class<? extends Record> type, RecordComponent[] components, Object[] values) {
        try {
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a record like " + type, e);
        }
    }
}
