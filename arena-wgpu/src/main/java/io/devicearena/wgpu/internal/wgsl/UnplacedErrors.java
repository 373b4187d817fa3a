package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Attribute;
import io.devicearena.wgpu.internal.wgsl.WgslModule.Function;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the place of an error that the compiler reports without one, or with a whole function.
 *
 * <p>Threads: static and stateless.
 */
final class UnplacedErrors {
    private static final Pattern INDEX = Pattern.compile("Index (\\d+) is out of bounds");
    private static final Pattern ENTRY_POINT = Pattern.compile("Entry point (\\S+) at Compute");
    private static final Pattern FUNCTION = Pattern.compile("Function \\[\\d+] '([^']+)'");
    private static final Pattern ARGUMENT = Pattern.compile("Argument (\\d+) varying");
    private static final Pattern PARAMETER = Pattern.compile("Argument '([^']+)' at index");
    private static final Pattern CASE = Pattern.compile("Multiple `switch` cases for [UI]32\\((-?\\d+)\\)");

    private UnplacedErrors() {}

    /**
     * Returns the index in the source of an error.
     *
     * @param report the text of the compiler
     * @param entryPoint the place for an error of which nothing else is known
     */
    static int index(WgslModule module, String report, int entryPoint) {
        return within(module, report)
                .or(() -> atomic(module, report))
                .or(() -> found(INDEX, report).flatMap(number -> element(module, number)))
                .orElse(entryPoint);
    }

    /** A place within the function that the report names. */
    static Optional<Integer> within(WgslModule module, String report) {
        Optional<Function> function =
                found(FUNCTION, report).or(() -> found(ENTRY_POINT, report)).flatMap(module::function);
        return function.flatMap(each -> found(PARAMETER, report)
                .flatMap(name -> name(module, each.code(), name))
                .or(() -> found(CASE, report).flatMap(value -> secondCase(module, each.code(), value)))
                .or(() -> found(ARGUMENT, report).flatMap(number -> parameter(module, each, Integer.parseInt(number))))
                .or(() -> result(module, each, report)));
    }

    private static Optional<String> found(Pattern pattern, String report) {
        Matcher matcher = pattern.matcher(report);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Optional<Integer> begin(WgslModule module, int token) {
        return token < module.tokenCount() ? Optional.of(module.token(token).begin()) : Optional.empty();
    }

    private static Optional<Integer> name(WgslModule module, Range code, String name) {
        for (int i = code.begin(); i < code.end(); i++) {
            if (module.is(i, name)) {
                return begin(module, i);
            }
        }
        return Optional.empty();
    }

    private static Optional<Integer> secondCase(WgslModule module, Range code, String value) {
        boolean seen = false;
        for (int i = code.begin(); i < code.end(); i++) {
            if (module.is(i, "case")) {
                for (int at = i + 1; at < code.end() && !module.is(at, ":") && !module.is(at, "{"); at++) {
                    if (module.token(at).text().matches(Pattern.quote(value.replace("-", "")) + "[iu]?")) {
                        if (seen) {
                            return begin(module, at);
                        }
                        seen = true;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Integer> parameter(WgslModule module, Function function, int number) {
        Range all = new Range(
                function.code().begin() + 1, module.skip(function.code().begin()) - 1);
        return module.split(all).stream().skip(number).findFirst().flatMap(each -> begin(module, each.begin()));
    }

    /** The type of the result of an entry point, or its workgroup size. */
    private static Optional<Integer> result(WgslModule module, Function function, String report) {
        if (report.contains("Workgroup size")) {
            return function.attributes().stream()
                    .filter(each -> each.name().equals("workgroup_size"))
                    .findFirst()
                    .map(Attribute::all)
                    .flatMap(all -> begin(module, all.begin()));
        }
        int behind = module.skip(function.code().begin());
        return report.contains("must all have bindings") && module.is(behind, "-")
                ? begin(module, behind + 2)
                : Optional.empty();
    }

    /** An {@code atomic} of another type than i32 or u32. */
    private static Optional<Integer> atomic(WgslModule module, String report) {
        if (report.contains("ATOMIC") || report.contains("atomic")) {
            for (int i = 0; i < module.tokenCount(); i++) {
                boolean known = module.is(i + 2, "i32") || module.is(i + 2, "u32");
                if (module.is(i, "atomic") && module.is(i + 1, "<") && !known) {
                    return begin(module, i);
                }
            }
        }
        return Optional.empty();
    }

    /** An index in brackets. */
    private static Optional<Integer> element(WgslModule module, String number) {
        for (int i = 0; i + 2 < module.tokenCount(); i++) {
            if (module.is(i, "[")
                    && module.is(i + 2, "]")
                    && module.token(i + 1).text().matches(number + "[iu]?")) {
                return begin(module, i + 1);
            }
        }
        return Optional.empty();
    }
}
