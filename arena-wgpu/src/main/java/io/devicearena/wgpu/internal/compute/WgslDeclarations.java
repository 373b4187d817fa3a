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
 * The bindings, constants and entry points that a source declares. The compiler checks the rest of the source.
 *
 * <p>Threads: immutable.
 *
 * <p>Source: WGSL, sections 3.3 (comments), 7.3 (variables), 8.3 (override declarations) and 12 (attributes).
 */
final class WgslDeclarations {
    private static final Pattern NUMBER = Pattern.compile("(0[xX][0-9a-fA-F]+|\\d+)[iu]?");
    // Long parts are possessive or bounded: no source makes a pattern recurse deeply or backtrack much.
    private static final Pattern VARIABLE = Pattern.compile(
            "((?:@\\s*+\\w++\\s*+(?:\\([^()]{0,1000}+\\)\\s*+)?){1,16})var\\s*+(?:<([^<>]{0,1000}+)>)?\\s*+"
                    + "([\\p{L}_][\\p{L}\\p{N}_]*+)\\s*+:");
    private static final Pattern OVERRIDE = Pattern.compile("(?:@\\s*+id\\s*+\\(\\s*+(\\d++)[iu]?\\s*+,?\\s*+\\)\\s*+)?"
            + "\\boverride\\s++([\\p{L}_][\\p{L}\\p{N}_]*+)\\s*+(?::[^=;]{0,1000}+)?(=|;)");
    private static final Pattern ENTRY_POINT =
            Pattern.compile("@\\s*+compute\\b[^{};]{0,1000}?\\bfn\\s++([\\p{L}_][\\p{L}\\p{N}_]*+)");

    /** The position that the compiler reports, after the name of the file: "wgsl", or the label of the shader. */
    private static final Pattern POSITION = Pattern.compile("\u250c\u2500 [^\u2502]*?:(\\d{1,9}):(\\d{1,9}) \u2502");

    /** The text before each cause in a message of the compiler. */
    private static final String CAUSED_BY = "Caused by: ";

    /** A binding, and where in the source its access mode is, or could be. */
    record Declared(KernelBinding binding, int accessBegin, int accessEnd) {}

    /**
     * An override constant.
     *
     * @param key the key of the constant in the library
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

    /** Replaces comments by spaces, so that positions stay the same. */
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
            throw error(
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
            throw error(
                    source,
                    at,
                    "'" + name + "': expected a number for @" + attribute + ", got " + text
                            + "; write the number itself");
        }
        return Integer.decode(literal.group(1).replaceFirst("^0+(?=\\d)", ""));
    }

    /** Makes the exception for an error that is found before the compiler runs. */
    private static KernelSourceException error(KernelSource source, int at, String what) {
        String before = source.wgsl().substring(0, at);
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int column = at - before.lastIndexOf('\n');
        return new KernelSourceException(
                "kernel '" + source.label() + "', line " + line + ", column " + column + ": " + what, line, column);
    }

    List<Declared> declared() {
        return declared;
    }

    /** The function to run: the chosen one, or the only one. */
    String entryPoint() {
        String chosen = source.entryPoint();
        String names = "'" + String.join("', '", entryPoints) + "'";
        if (entryPoints.isEmpty()) {
            throw new KernelSourceException(
                    "kernel '" + source.label() + "': expected a @compute function in the source, got none", 0, 0);
        }
        if (chosen.isEmpty() && entryPoints.size() > 1) {
            throw new IllegalArgumentException(
                    "kernel '" + source.label() + "': expected a choice between the @compute functions " + names
                            + ", got none; call withEntryPoint");
        }
        if (!chosen.isEmpty() && !entryPoints.contains(chosen)) {
            throw new IllegalArgumentException("kernel '" + source.label()
                    + "': expected one of the @compute functions " + names + ", got '" + chosen + "'");
        }
        return chosen.isEmpty() ? entryPoints.getFirst() : chosen;
    }

    /** The values of the constants by the keys of the library. */
    Map<String, Double> constants() {
        Map<String, Double> values = new LinkedHashMap<>();
        source.constants().forEach((name, value) -> {
            OverrideConstant known = overrides.get(name);
            if (known == null) {
                throw new IllegalArgumentException("kernel '" + source.label()
                        + "': expected a constant that its source declares with override, one of " + overrides.keySet()
                        + ", got '" + name + "'");
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

    /** Returns the source with the bindings of a bit set changed to read_write. */
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

    /** The access of a binding as the GPU layer names it. */
    static GpuKernel.Access access(KernelBinding.Access access) {
        return switch (access) {
            case READ -> GpuKernel.Access.READ;
            case READ_WRITE -> GpuKernel.Access.READ_WRITE;
            case UNIFORM -> GpuKernel.Access.UNIFORM;
        };
    }

    /** Makes the exception for an error of the compiler, with the source line. */
    static KernelSourceException compileError(KernelSource source, RuntimeException cause) {
        String all = String.valueOf(cause.getMessage());
        int last = all.lastIndexOf(CAUSED_BY);
        String message = last < 0 ? all : all.substring(last + CAUSED_BY.length());
        Matcher position = POSITION.matcher(message);
        int line = 0;
        int column = 0;
        String where = "";
        if (position.find()) {
            line = Integer.parseInt(position.group(1));
            column = Integer.parseInt(position.group(2));
            String text = source.wgsl().lines().skip(line - 1L).findFirst().orElse("");
            where = ", line " + line + ", column " + column + ", '" + text.strip() + "'";
        }
        KernelSourceException error =
                new KernelSourceException("kernel '" + source.label() + "'" + where + ": " + message, line, column);
        error.initCause(cause);
        return error;
    }
}
