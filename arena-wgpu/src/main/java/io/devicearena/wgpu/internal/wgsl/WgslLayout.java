package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Member;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Named;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Size and alignment of the types of a source. A type that is not understood has none.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WGSL, section 14.4.1 (alignment and size).
 */
final class WgslLayout {
    /**
     * What a type takes. Threads: immutable.
     *
     * @param size bytes; that of one element for an array without a length
     * @param align bytes, a power of two
     */
    record Extent(long size, long align) {}

    private static final int MAX_DEPTH = 64;
    private static final Extent WORD = new Extent(4, 4);
    private static final Extent HALF = new Extent(2, 2);
    private static final Map<String, Extent> SCALARS =
            Map.of("bool", WORD, "i32", WORD, "u32", WORD, "f32", WORD, "f16", HALF);
    private static final Map<String, Extent> SUFFIXES = Map.of("i", WORD, "u", WORD, "f", WORD, "h", HALF);
    private static final Pattern VECTOR = Pattern.compile("vec([234])([iufh]?)");
    private static final Pattern MATRIX = Pattern.compile("mat([234])x([234])([fh]?)");

    private final WgslModule module;
    private final ConstantEvaluator constants;
    private final Map<String, Optional<Extent>> named = new HashMap<>();
    private int depth;

    WgslLayout(WgslModule module, ConstantEvaluator constants) {
        this.module = module;
        this.constants = constants;
    }

    /** Returns the bytes of a variable, if its type is understood; for an array without a length, of one element. */
    Optional<Long> bytes(Named variable) {
        return Optional.ofNullable(variable.type()).flatMap(this::of).map(Extent::size);
    }

    /** Returns what a type takes, if it is understood. */
    Optional<Extent> of(Range type) {
        try {
            return extent(type);
        } catch (ArithmeticException _) { // beyond 63 bits: the compiler refuses it
            return Optional.empty();
        }
    }

    private Optional<Extent> extent(Range type) {
        if (type.isEmpty() || !module.isName(type.begin()) || depth > MAX_DEPTH) {
            return Optional.empty();
        }
        depth++;
        try {
            String name = module.token(type.begin()).text();
            List<Range> arguments = module.templateArguments(type);
            if (type.end() - type.begin() == 1) {
                Optional<Extent> declared = declared(name);
                return declared.isPresent() ? declared : predeclared(name, Optional.ofNullable(SCALARS.get(name)));
            }
            return switch (name) {
                case "atomic" -> arguments.size() == 1 ? extent(arguments.getFirst()) : Optional.empty();
                case "array" -> array(arguments);
                default -> arguments.size() == 1 ? predeclared(name, extent(arguments.getFirst())) : Optional.empty();
            };
        } finally {
            depth--;
        }
    }

    /** A struct or an alias. */
    private Optional<Extent> declared(String name) {
        Optional<Extent> known = named.get(name);
        if (known == null) {
            named.put(name, Optional.empty()); // a type that contains itself has no size
            known = module.struct(name)
                    .flatMap(this::struct)
                    .or(() -> module.alias(name).flatMap(this::extent));
            named.put(name, known);
        }
        return known;
    }

    /** A scalar, a vector or a matrix. */
    private static Optional<Extent> predeclared(String name, Optional<Extent> argument) {
        Matcher vector = VECTOR.matcher(name);
        if (vector.matches()) {
            return component(vector.group(2), argument).map(each -> vector(Integer.parseInt(vector.group(1)), each));
        }
        Matcher matrix = MATRIX.matcher(name);
        if (matrix.matches()) {
            return component(matrix.group(3), argument)
                    .map(each -> elements(
                            Integer.parseInt(matrix.group(1)), vector(Integer.parseInt(matrix.group(2)), each)));
        }
        return SCALARS.containsKey(name) ? argument : Optional.empty();
    }

    private static Optional<Extent> component(String suffix, Optional<Extent> argument) {
        return suffix.isEmpty() ? argument : Optional.ofNullable(SUFFIXES.get(suffix));
    }

    private static Extent vector(int width, Extent component) {
        return new Extent(width * component.size(), (width == 3 ? 4 : width) * component.size());
    }

    private static Extent elements(long count, Extent element) {
        return new Extent(Math.multiplyExact(count, roundUp(element.size(), element.align())), element.align());
    }

    private Optional<Extent> array(List<Range> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            return Optional.empty();
        }
        Optional<Extent> element = extent(arguments.getFirst());
        Optional<Long> count = arguments.size() == 1 ? Optional.of(1L) : constants.value(arguments.get(1));
        return count.filter(number -> number > 0).flatMap(number -> element.map(each -> elements(number, each)));
    }

    private Optional<Extent> struct(List<Member> members) {
        long size = 0;
        long align = 1;
        for (Member member : members) {
            Optional<Extent> found = extent(member.type());
            Optional<Long> wantedSize = found.flatMap(each -> attribute(member, "size", each.size()));
            Optional<Long> wantedAlign = found.flatMap(each -> attribute(member, "align", each.align()));
            if (wantedSize.isEmpty() || wantedAlign.isEmpty() || Long.bitCount(wantedAlign.get()) != 1) {
                return Optional.empty();
            }
            size = Math.addExact(roundUp(size, wantedAlign.get()), wantedSize.get());
            align = Math.max(align, wantedAlign.get());
        }
        return size == 0 ? Optional.empty() : Optional.of(new Extent(roundUp(size, align), align));
    }

    private Optional<Long> attribute(Member member, String name, long otherwise) {
        return Attribute.arguments(member.attributes(), name)
                .map(constants::value)
                .orElse(Optional.of(otherwise));
    }

    private static long roundUp(long size, long align) {
        return Math.addExact(size, align - 1) & -align;
    }
}
