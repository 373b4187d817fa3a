package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.gpu.GpuKernel;
import io.devicearena.wgpu.kernel.KernelBinding;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.KernelSourceException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a source says about bindings, constants and entry points. The rest of it is the compiler's.
 *
 * <p>Threads: immutable.
 *
 * <p>Source: WGSL, sections 3.3 (comments), 7.3 (variables), 8.3 (override declarations) and 12 (attributes).
 */
final class WgslDeclarations {
    private static final Pattern NUMBER = Pattern.compile("(0[xX][0-9a-fA-F]+|\\d+)[iu]?");
    // What may be long is possessive or bounded: no source makes a pattern recurse deeply or go back again and again.
    private static final Pattern VARIABLE = Pattern.compile(
            "((?:@\\s*+\\w++\\s*+(?:\\([^()]{0,1000}+\\)\\s*+)?){1,16})var\\s*+(?:<([^<>]{0,1000}+)>)?\\s*+"
                    + "([\\p{L}_][\\p{L}\\p{N}_]*+)\\s*+:");
    private static final Pattern OVERRIDE = Pattern.compile("(?:@\\s*+id\\s*+\\(\\s*+(\\d++)[iu]?\\s*+,?\\s*+\\)\\s*+)?"
            + "\\boverride\\s++([\\p{L}_][\\p{L}\\p{N}_]*+)\\s*+(?::[^=;]{0,1000}+)?(=|;)");
    private static final Pattern ENTRY_POINT =
            Pattern.compile("@\\s*+compute\\b[^{};]{0,1000}?\\bfn\\s++([\\p{L}_][\\p{L}\\p{N}_]*+)");

    /** Where the compiler says that it stumbled, and what comes ahead of what it says. */
    private static final Pattern PLACE = Pattern.compile("wgsl:(\\d+):(\\d+)");

    private static final String CAUSED_BY = "Caused by: ";

    /** A binding, and where in the source its {@code read} is said, or could be. */
    record Declared(KernelBinding binding, int accessBegin, int accessEnd) {}

    /**
     * An override constant.
     *
     * @param key what the library knows it by
     */
    private record OverrideConstant(String key, boolean hasDefault) {}

    private final KernelSource source;
    private final List<Declared> declared;
    private final Map<String, OverrideConstant> overrides;
    private final List<String> entryPoints;

    private WgslDeclarations(
            KernelSource source,
            List<Declared> declared,
            Map<String, OverrideConstant> overrides,
            List<String> entryPoints) {
        this.source = source;
        this.declared = declared;
        this.overrides = overrides;
        this.entryPoints = entryPoints;
    }

    static WgslDeclarations of(KernelSource source) {
        String code = withoutComments(source.wgsl());
        List<Declared> declared = new ArrayList<>();
        Matcher variable = VARIABLE.matcher(code);
        while (variable.find()) {
            declared.add(declared(source, variable));
        }
        declared.sort(Comparator.comparingInt((Declared each) -> each.binding().group())
                .thenComparingInt(each -> each.binding().number()));
        Map<String, OverrideConstant> overrides = new LinkedHashMap<>();
        Matcher override = OVERRIDE.matcher(code);
        while (override.find()) {
            String id = override.group(1);
            String name = override.group(2);
            overrides.put(
                    name,
                    new OverrideConstant(
                            id == null ? name : id, override.group(3).equals("=")));
        }
        List<String> entryPoints =
                ENTRY_POINT.matcher(code).results().map(found -> found.group(1)).toList();
        return new WgslDeclarations(source, List.copyOf(declared), overrides, entryPoints);
    }

    /** Puts spaces for comments, so that places stay the same. */
    private static String withoutComments(String wgsl) {
        StringBuilder code = new StringBuilder(wgsl);
        int depth = 0;
        boolean line = false;
        for (int i = 0; i < code.length(); i++) {
            char here = wgsl.charAt(i);
            char next = i + 1 < wgsl.length() ? wgsl.charAt(i + 1) : ' ';
            if (line) {
                line = here != '\n' && here != '\r';
            } else if (here == '/' && next == '*') {
                depth++;
                code.setCharAt(i++, ' ');
            } else if (depth > 0 && here == '*' && next == '/') {
                depth--;
                code.setCharAt(i++, ' ');
                code.setCharAt(i, ' ');
                continue;
            } else if (depth == 0 && here == '/' && next == '/') {
                line = true;
            }
            if (line || depth > 0) {
                code.setCharAt(i, ' ');
            }
        }
        return code.toString();
    }

    private static Declared declared(KernelSource source, Matcher variable) {
        String name = variable.group(3);
        int at = variable.start(3);
        int group = number(source, variable.group(1), "group", name, at);
        int number = number(source, variable.group(1), "binding", name, at);
        String space = variable.group(2);
        String[] parts = space == null ? new String[0] : space.strip().split("\\s*,\\s*", -1);
        if (parts.length == 0 || !(parts[0].equals("storage") || parts[0].equals("uniform"))) {
            throw refused(
                    source,
                    at,
                    "'" + name + "': expected a buffer, var<storage> or var<uniform>, got "
                            + (space == null ? "a texture or sampler" : "var<" + space + ">"));
        }
        KernelBinding.Access access = parts[0].equals("uniform")
                ? KernelBinding.Access.UNIFORM
                : parts.length > 1 && parts[1].equals("read_write")
                        ? KernelBinding.Access.READ_WRITE
                        : KernelBinding.Access.READ;
        return new Declared(new KernelBinding(group, number, name, access), variable.start(2), variable.end(2));
    }

    private static int number(KernelSource source, String attributes, String attribute, String name, int at) {
        Matcher found = Pattern.compile("@\\s*" + attribute + "\\s*\\(\\s*([^,()]*?)\\s*,?\\s*\\)")
                .matcher(attributes);
        String text = found.find() ? found.group(1) : "nothing";
        Matcher literal = NUMBER.matcher(text);
        if (!literal.matches() || literal.group(1).length() > 9) {
            throw refused(
                    source,
                    at,
                    "'" + name + "': expected a number for @" + attribute + ", got " + text
                            + "; write the number itself");
        }
        return Integer.decode(literal.group(1).replaceFirst("^0+(?=\\d)", ""));
    }

    /** Refuses a source ahead of the compiler. */
    private static KernelSourceException refused(KernelSource source, int at, String what) {
        String before = source.wgsl().substring(0, at);
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int column = at - before.lastIndexOf('\n');
        return new KernelSourceException(
                "kernel '" + source.label() + "', line " + line + ", column " + column + ": " + what, line, column);
    }

    List<Declared> declared() {
        return declared;
    }

    /** The function to run: the one that was chosen, or the only one. */
    String entryPoint() {
        String chosen = source.entryPoint();
        String names = "'" + String.join("', '", entryPoints) + "'";
        if (entryPoints.isEmpty()) {
            throw new KernelSourceException(
                    "kernel '" + source.label() + "': expected a @compute function in the source, got none", 0, 0);
        }
        if (chosen.isEmpty() && entryPoints.size() > 1) {
            throw new IllegalArgumentException(
                    "kernel '" + source.label() + "': expected the choice of one of the @compute" + " functions "
                            + names + ", got none; call withEntryPoint");
        }
        if (!chosen.isEmpty() && !entryPoints.contains(chosen)) {
            throw new IllegalArgumentException("kernel '" + source.label()
                    + "': expected one of the @compute functions " + names + ", got '" + chosen + "'");
        }
        return chosen.isEmpty() ? entryPoints.getFirst() : chosen;
    }

    /** The values of the constants as the library wants them. */
    Map<String, Double> constants() {
        Map<String, Double> values = new LinkedHashMap<>();
        source.constants().forEach((name, value) -> {
            OverrideConstant known = overrides.get(name);
            if (known == null) {
                throw new IllegalArgumentException(
                        "kernel '" + source.label() + "': expected a constant that its source"
                                + " declares with override, one of " + overrides.keySet() + ", got '" + name + "'");
            }
            values.put(known.key(), value);
        });
        overrides.forEach((name, known) -> {
            if (!known.hasDefault() && !source.constants().containsKey(name)) {
                throw new IllegalArgumentException(
                        "kernel '" + source.label() + "': expected a value for the constant '" + name
                                + "', which has no default, got none; call withConstant");
            }
        });
        return values;
    }

    /** The source with some bindings that read made such that read and write. */
    String withWriting(long promoted) {
        StringBuilder code = new StringBuilder(source.wgsl());
        List<Declared> fromTheEnd = declared.stream()
                .filter(each -> (promoted >> declared.indexOf(each) & 1) == 1)
                .sorted(Comparator.comparingInt(Declared::accessBegin).reversed())
                .collect(Collectors.toList());
        for (Declared each : fromTheEnd) {
            code.replace(each.accessBegin(), each.accessEnd(), "storage, read_write");
        }
        return code.toString();
    }

    /** What the library calls an access. */
    static GpuKernel.Access access(KernelBinding.Access access) {
        return switch (access) {
            case READ -> GpuKernel.Access.READ;
            case READ_WRITE -> GpuKernel.Access.READ_WRITE;
            case UNIFORM -> GpuKernel.Access.UNIFORM;
        };
    }

    /** Tells in the caller's terms what the compiler said. */
    static KernelSourceException refusedByCompiler(KernelSource source, RuntimeException cause) {
        String told = String.valueOf(cause.getMessage());
        int last = told.lastIndexOf(CAUSED_BY);
        String said = last < 0 ? told : told.substring(last + CAUSED_BY.length());
        Matcher place = PLACE.matcher(said);
        int line = 0;
        int column = 0;
        String where = "";
        if (place.find()) {
            line = Integer.parseInt(place.group(1));
            column = Integer.parseInt(place.group(2));
            String text = source.wgsl().lines().skip(line - 1L).findFirst().orElse("");
            where = ", line " + line + ", column " + column + ", '" + text.strip() + "'";
        }
        KernelSourceException refused =
                new KernelSourceException("kernel '" + source.label() + "'" + where + ": " + said, line, column);
        refused.initCause(cause);
        return refused;
    }
}
