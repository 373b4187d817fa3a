package io.devicearena.onnx.graph;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The attributes of an operator, by name. A getter with a default answers with it where the operator leaves the
 * attribute out; which default ONNX has for it stands in the page of the operator.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class OnnxAttributes {
    /** What values may be, and how messages call them. */
    private static final Map<Class<?>, String> KINDS = Map.of(
            Long.class, "an integer",
            Float.class, "a float",
            String.class, "a text",
            OnnxConstant.class, "a tensor");

    private final String node;
    private final Map<String, Object> values;

    /**
     * Makes attributes.
     *
     * @param node the operator, for messages
     * @param values each a Long, a Float, a String, an {@link OnnxConstant}, or a list of one of these
     * @throws IllegalArgumentException if one is none of these
     */
    public OnnxAttributes(String node, Map<String, ?> values) {
        this.node = Objects.requireNonNull(node, "node");
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        this.values.forEach((name, value) -> {
            boolean isKnown = value instanceof List<?> list
                    ? list.stream().allMatch(each -> KINDS.containsKey(each.getClass()))
                    : KINDS.containsKey(value.getClass());
            if (!isKnown) {
                throw new IllegalArgumentException(node + ", attribute '" + name
                        + "': expected an integer, a float, a text, a tensor or a list, got " + value.getClass());
            }
        });
    }

    /** {@return the names of those that the operator has} */
    public Set<String> names() {
        return values.keySet();
    }

    /**
     * {@return whether the operator has an attribute}
     *
     * @param name its name, such as {@code axis}
     */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * {@return these attributes and another one, or another value of one}
     *
     * @param name its name
     * @param value a Long, a Float, a String, an {@link OnnxConstant}, or a list of one of these
     * @throws IllegalArgumentException if it is none of these
     */
    public OnnxAttributes with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new OnnxAttributes(node, more);
    }

    /**
     * {@return an integer}
     *
     * @param name its name, such as {@code axis}
     * @param otherwise the answer where the operator leaves it out
     * @throws IllegalArgumentException if it is of another kind
     */
    public long integer(String name, long otherwise) {
        return one(name, Long.class).orElse(otherwise);
    }

    /**
     * {@return a float}
     *
     * @param name its name, such as {@code alpha}
     * @param otherwise the answer where the operator leaves it out
     * @throws IllegalArgumentException if it is of another kind
     */
    public float number(String name, float otherwise) {
        return one(name, Float.class).orElse(otherwise);
    }

    /**
     * {@return a text}
     *
     * @param name its name, such as {@code auto_pad}
     * @param otherwise the answer where the operator leaves it out
     * @throws IllegalArgumentException if it is of another kind
     */
    public String text(String name, String otherwise) {
        return one(name, String.class).orElse(otherwise);
    }

    /**
     * {@return a tensor, or empty where the operator leaves it out}
     *
     * @param name its name, such as {@code value}
     * @throws IllegalArgumentException if it is of another kind
     */
    public Optional<OnnxConstant> tensor(String name) {
        return one(name, OnnxConstant.class);
    }

    /**
     * {@return a list of integers}
     *
     * @param name its name, such as {@code strides}
     * @param otherwise the answer where the operator leaves it out
     * @throws IllegalArgumentException if it is of another kind
     */
    public long[] integers(String name, long... otherwise) {
        return list(name, Long.class)
                .map(list -> list.stream().mapToLong(Long::longValue).toArray())
                .orElse(otherwise);
    }

    /**
     * {@return a list of floats}
     *
     * @param name its name, such as {@code scales}
     * @param otherwise the answer where the operator leaves it out
     * @throws IllegalArgumentException if it is of another kind
     */
    public List<Float> numbers(String name, List<Float> otherwise) {
        return list(name, Float.class).orElse(otherwise);
    }

    /**
     * {@return a list of texts}
     *
     * @param name its name, such as {@code activations}
     * @param otherwise the answer where the operator leaves it out
     * @throws IllegalArgumentException if it is of another kind
     */
    public List<String> texts(String name, List<String> otherwise) {
        return list(name, String.class).orElse(otherwise);
    }

    private <T> Optional<T> one(String name, Class<T> kind) {
        Object value = values.get(name);
        if (value != null && !kind.isInstance(value)) {
            throw fault(name, KINDS.getOrDefault(kind, ""), value);
        }
        return Optional.ofNullable(value).map(kind::cast);
    }

    private <T> Optional<List<T>> list(String name, Class<T> kind) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof List<?> list) || !list.stream().allMatch(kind::isInstance)) {
            throw fault(name, "a list, each of them " + KINDS.getOrDefault(kind, ""), value);
        }
        return Optional.of(list.stream().map(kind::cast).toList());
    }

    private IllegalArgumentException fault(String name, String expected, Object value) {
        return new IllegalArgumentException(
                node + ", attribute '" + name + "': expected " + expected + ", got " + described(value));
    }

    private static String described(Object value) {
        if (value instanceof List<?> list) {
            return list.isEmpty() ? "an empty list" : "a list, the first of them " + described(list.getFirst());
        }
        return KINDS.get(value.getClass()) + (value instanceof OnnxConstant ? "" : " " + value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OnnxAttributes that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
