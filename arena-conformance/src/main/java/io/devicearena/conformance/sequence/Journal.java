package io.devicearena.conformance.sequence;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.HostMemory;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a sequence down as Java, when that is wanted: proxies of arenas, handles and host memory see its calls. */
final class Journal {
    private static final String INDENT = "    ";

    /** They change nothing, and are written down where they fail. */
    private static final Set<String> QUERIES = Set.of(
            "sizeBytes",
            "scratchOffset",
            "segments",
            "byteOffset",
            "lengthBytes",
            "byteSize",
            "segment",
            "unwrap",
            "fits",
            "state",
            "toCompletableFuture");

    private final boolean isActive;
    private final List<String> lines = new ArrayList<>();
    private final Deque<String> ends = new ArrayDeque<>();
    private final IdentityHashMap<Object, String> names = new IdentityHashMap<>();
    private String query = "";
    private String result = "";
    private int made;
    private long random;
    private boolean isMuted;

    Journal(boolean isActive) {
        this.isActive = isActive;
    }

    /** A name that nothing else has. */
    String next(String kind) {
        return isActive ? kind + made++ : "";
    }

    /** From now on an object is a text of Java. */
    void name(Object object, String java, Object... operands) {
        if (isActive) {
            names.put(object, text(java, operands));
        }
    }

    /** Each {@code %s} is the Java of an operand. */
    private String text(String java, Object... operands) {
        return String.format(
                Locale.ROOT, java, Arrays.stream(operands).map(this::of).toArray());
    }

    /** The Java of an object. */
    String of(Object object) {
        String known = names.get(object);
        if (known != null || !isActive) {
            return known == null ? "" : known;
        }
        return switch (object) {
            case Long number -> number + "L";
            case Byte number -> "(byte) " + number;
            case NodeId id -> "NodeId.of(" + id.value() + ")";
            case DType dtype -> "DType." + dtype.name();
            case Class<?> type -> type.getSimpleName() + ".class";
            case Duration time -> "Duration.parse(\"" + time + "\")";
            case Batch batch -> write(batch);
            case MemorySegment bytes -> // one without a name is written with what it holds
                "MemorySegment.ofArray(HexFormat.of().parseHex(\""
                        + HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE)) + "\"))";
            default -> object.toString();
        };
    }

    private String write(Batch batch) {
        String name = next("batch");
        add("Batch.Builder %sRegions = Batch.builder();", name);
        for (Batch.Region region : batch.regions()) {
            String call = switch (region) {
                case Batch.Bytes bytes -> text("bytes(%s", bytes.offset());
                case Batch.Elements elements -> text("elements(%s, %s", elements.node(), elements.dtype());
                case Batch.Floats floats -> text("floats(%s, %s", floats.node(), floats.dtype());
            };
            add("%sRegions.%s, %s);", name, call, region.memory());
        }
        add("Batch %s = %sRegions.build();", name, name);
        names.put(batch, name);
        return name;
    }

    /** Adds a line, unless it repeats those before. */
    void add(String java, Object... operands) {
        if (isActive && !isMuted) {
            query = "";
            lines.add(INDENT.repeat(ends.size()) + text(java, operands));
        }
    }

    /** Opens a block. */
    void open(String end, String java, Object... operands) {
        add(java, operands);
        ends.push(end);
    }

    /** Ends a block. */
    void close() {
        add("%s", ends.pop());
    }

    /** Whether what follows repeats the lines before. */
    void mute(boolean isRepeated) {
        isMuted = isRepeated;
    }

    /** The check that has failed; {@code %s} is what the last call returned. */
    void fail(String condition, String message) {
        if (isActive && !condition.isEmpty()) {
            isMuted = false;
            if (!query.isEmpty()) {
                add("%s", query);
            }
            add("if (%s) {", condition.replace("%s", result));
            add(INDENT + "throw new AssertionError(\"%s\");", message.replace('"', '\''));
            add("}");
        }
    }

    /** The variable of what the last call returned. */
    String result() {
        return result;
    }

    /** Needs so many random bytes. */
    void random(long bytes) {
        random = Math.max(random, bytes);
    }

    /** The same object, whose calls are written down. */
    <T> T watched(Class<T> type, T target, String name) {
        if (!isActive) {
            return target;
        }
        Object watched = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> call(target, name, method, args == null ? new Object[0] : args));
        names.put(watched, name);
        return type.cast(watched);
    }

    private @Nullable Object call(Object target, String name, Method method, Object[] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return invoke(target, method, args);
        }
        String text = name + "." + method.getName() + "("
                + Arrays.stream(args).map(this::of).collect(Collectors.joining(", "));
        if (args.length > 0 && args[args.length - 1] instanceof Function) { // the reader of a mapped view
            open(INDENT + "return 0;\n" + INDENT.repeat(ends.size()) + "});", "%s -> {", text);
            Object returned = invoke(target, method, args);
            close();
            return returned;
        }
        result = next(
                method.getReturnType().getSimpleName().toLowerCase(Locale.ROOT).replace("[]", "s"));
        String line = (method.getReturnType() == void.class ? "" : "var " + result + " = ") + text + ");";
        if (QUERIES.contains(method.getName())) {
            query = line;
        } else if (method.getReturnType() == DeviceArena.class) {
            open("}", "try (%s", line.replace(");", ")) {"));
        } else {
            add("%s", line);
        }
        Object returned = invoke(target, method, args);
        return returned == null ? null : watched(returned, result, text + ")");
    }

    private static @Nullable Object invoke(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object watched(Object returned, String name, String text) {
        return switch (returned) {
            case DeviceArena arena -> watched(DeviceArena.class, arena, name);
            case HostMemory host -> watched(HostMemory.class, host, name);
            case Transfer transfer -> watched(Transfer.class, transfer, name);
            case F16Shadow shadow -> watched(F16Shadow.class, shadow, text);
            case Optional<?> found -> found.map(one -> watched(one, name, text + ".orElseThrow()"));
            case MemorySegment segment -> {
                names.put(segment, text);
                yield segment;
            }
            default -> returned;
        };
    }

    /** The whole text. */
    String text() {
        List<String> all = new ArrayList<>();
        if (random > 0) {
            all.add("byte[] bytes = new byte[" + random + "];");
            all.add("new SplittableRandom(1).nextBytes(bytes);");
            all.add("MemorySegment random = MemorySegment.ofArray(bytes);");
            all.add("MemorySegment floats = MemorySegment.ofArray(bytes.clone());");
            all.add("for (long i = 0; i + 4 <= bytes.length; i += 4) {");
            all.add("    int word = floats.get(ValueLayout.JAVA_INT_UNALIGNED, i);");
            all.add("    floats.set(ValueLayout.JAVA_INT_UNALIGNED, i, (word & 0x8FFF_FFFF) + 0x3800_0000);");
            all.add("}");
        }
        all.add("try (Arena memory = Arena.ofShared()) {");
        lines.forEach(line -> all.add(INDENT + line));
        if (!query.isEmpty()) {
            all.add(INDENT + query);
        }
        ends.forEach(end -> all.add(INDENT + end));
        all.add("}");
        return String.join("\n", all);
    }
}
