package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.kernel.KernelSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declarations of a source at module scope, found without checking them: a source that does not compile has some
 * declarations or none.
 *
 * <p>Threads: immutable.
 *
 * <p>Source: WGSL, sections 4 (directives), 6.2.10 (structures), 7 (variables and values), 11 (functions) and 12
 * (attributes).
 */
final class WgslModule extends WgslTokens {
    /** An attribute, such as {@code @group(0)}: its tokens, and those between its parentheses. Threads: immutable. */
    record Attribute(String name, Range all, Range arguments) {}

    /** {@code const} or {@code override}. Threads: immutable. */
    record Constant(
            WgslToken keyword,
            WgslToken name,
            List<Attribute> attributes,
            @Nullable Range type,
            @Nullable Range value,
            int semicolon) {
        boolean isOverride() {
            return keyword.is("override");
        }
    }

    /** {@code var}, with the tokens between its angle brackets. Threads: immutable. */
    record Variable(
            WgslToken name,
            List<Attribute> attributes,
            Range space,
            @Nullable Range type) {}

    /** A member of a struct. Threads: immutable. */
    record Member(List<Attribute> attributes, Range type) {}

    /** {@code fn}, with its tokens from the opening parenthesis to the end of its body. Threads: immutable. */
    record Function(WgslToken name, List<Attribute> attributes, Range code) {}

    /** Aliases of aliases that are followed: they may form a cycle. */
    private static final int MAX_ALIASES = 64;

    private final List<Range> directives = new ArrayList<>();
    private final Map<String, Constant> constants = new HashMap<>();
    private final List<Constant> overrides = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final Map<String, List<Member>> structs = new HashMap<>();
    private final Map<String, Range> aliases = new HashMap<>();
    private final List<Function> functions = new ArrayList<>();
    /** The tokens of the declarations of a name, from the name on; those of a function with its attributes. */
    private final Map<String, List<Range>> declarations = new HashMap<>();

    private WgslModule(KernelSource kernel) {
        super(kernel);
    }

    /** Reads the declarations of a source. */
    static WgslModule of(KernelSource kernel) {
        WgslModule module = new WgslModule(kernel);
        List<Attribute> attributes = new ArrayList<>();
        int at = 0;
        while (at < module.tokenCount()) {
            if (module.is(at, "@")) {
                Attribute attribute = module.attribute(at);
                attributes.add(attribute);
                at = attribute.all().end();
            } else {
                at = module.declaration(at, List.copyOf(attributes));
                attributes.clear();
            }
        }
        return module;
    }

    private int declaration(int at, List<Attribute> attributes) {
        int end = switch (token(at).text()) {
            case "enable", "requires", "diagnostic" -> directive(at);
            case "const", "override" -> constant(at, attributes);
            case "var" -> variable(at, attributes);
            case "alias" -> alias(at);
            case "struct" -> struct(at);
            case "fn" -> function(at, attributes);
            default -> skip(at);
        };
        return Math.max(end, at + 1);
    }

    private int directive(int at) {
        int end = semicolon(at);
        directives.add(new Range(at, Math.min(end + 1, tokenCount())));
        return end + 1;
    }

    private int constant(int at, List<Attribute> attributes) {
        int semicolon = semicolon(at);
        if (semicolon == tokenCount() || !isName(at + 1)) {
            return semicolon;
        }
        int assign = find(at + 2, semicolon, "=");
        Constant constant = new Constant(
                token(at),
                token(at + 1),
                attributes,
                is(at + 2, ":") ? new Range(at + 3, assign) : null,
                assign < semicolon ? new Range(assign + 1, semicolon) : null,
                semicolon);
        constants.putIfAbsent(constant.name().text(), constant);
        declare(constant.name(), at + 1, semicolon);
        if (constant.isOverride()) {
            overrides.add(constant);
        }
        return semicolon + 1;
    }

    private int variable(int at, List<Attribute> attributes) {
        int semicolon = semicolon(at);
        int name = at + 1;
        Range space = new Range(name, name);
        if (is(name, "<")) {
            int close = find(name + 1, semicolon, ">");
            space = new Range(name + 1, close);
            name = close + 1;
        }
        if (name < semicolon && isName(name)) {
            Range type = is(name + 1, ":") ? new Range(name + 2, find(name + 2, semicolon, "=")) : null;
            variables.add(new Variable(token(name), attributes, space, type));
            declare(token(name), name, semicolon);
        }
        return semicolon + 1;
    }

    private int alias(int at) {
        int semicolon = semicolon(at);
        if (isName(at + 1) && is(at + 2, "=")) {
            aliases.putIfAbsent(token(at + 1).text(), new Range(at + 3, semicolon));
            declare(token(at + 1), at + 1, semicolon);
        }
        return semicolon + 1;
    }

    private int struct(int at) {
        if (!isName(at + 1) || !is(at + 2, "{")) {
            return at + 1;
        }
        int end = skip(at + 2) - 1;
        List<Member> members = new ArrayList<>();
        List<Attribute> attributes = new ArrayList<>();
        for (int i = at + 3; i < end; ) {
            if (is(i, "@")) {
                attributes.add(attribute(i));
                i = attributes.getLast().all().end();
            } else if (isName(i) && is(i + 1, ":")) {
                int comma = find(i + 2, end, ",");
                members.add(new Member(List.copyOf(attributes), new Range(i + 2, comma)));
                attributes.clear();
                i = comma + 1;
            } else {
                i++;
            }
        }
        structs.putIfAbsent(token(at + 1).text(), members);
        declare(token(at + 1), at + 1, end);
        return end + 1;
    }

    private int function(int at, List<Attribute> attributes) {
        if (!isName(at + 1) || !is(at + 2, "(")) {
            return at + 1;
        }
        int body = skip(at + 2);
        while (body < tokenCount() && !is(body, "{") && !is(body, ";")) {
            body = skip(body);
        }
        int end = body < tokenCount() ? skip(body) : body;
        functions.add(new Function(token(at + 1), attributes, new Range(at + 2, end)));
        declare(
                token(at + 1),
                attributes.isEmpty() ? at + 1 : attributes.getFirst().all().begin(),
                end);
        return end;
    }

    private void declare(WgslToken name, int begin, int end) {
        declarations.computeIfAbsent(name.text(), _ -> new ArrayList<>()).add(new Range(begin, end));
    }

    /** Reads the attribute that begins at a token. */
    private Attribute attribute(int at) {
        String name = isName(at + 1) ? token(at + 1).text() : "";
        if (!is(at + 2, "(")) {
            return new Attribute(name, new Range(at, Math.min(at + 2, tokenCount())), new Range(at + 2, at + 2));
        }
        int end = skip(at + 2);
        int last = is(end - 2, ",") ? end - 2 : end - 1;
        return new Attribute(name, new Range(at, end), new Range(at + 3, Math.max(last, at + 3)));
    }

    /** {@code enable}, {@code requires} and {@code diagnostic}, each up to its semicolon. */
    List<Range> directives() {
        return directives;
    }

    List<Constant> overrides() {
        return overrides;
    }

    List<Variable> variables() {
        return variables;
    }

    List<Function> functions() {
        return functions;
    }

    /** The tokens of the declarations of a name; none if it is not declared. */
    List<Range> declarations(String name) {
        return declarations.getOrDefault(name, List.of());
    }

    Optional<Constant> constant(String name) {
        return Optional.ofNullable(constants.get(name));
    }

    Optional<List<Member>> struct(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    Optional<Range> alias(String name) {
        return Optional.ofNullable(aliases.get(name));
    }

    /** Returns what the aliases of a type stand for; the type itself if it is none, or not a single name. */
    Range resolved(Range type) {
        Range resolved = type;
        for (int i = 0; i < MAX_ALIASES && resolved.end() - resolved.begin() == 1; i++) {
            Range alias = aliases.get(token(resolved.begin()).text());
            if (alias == null) {
                break;
            }
            resolved = alias;
        }
        return resolved;
    }

    /** The names of the compute functions; those of a source with wrong brackets too. */
    List<String> entryPoints() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i + 1 < tokenCount(); i++) {
            if (is(i, "@") && is(i + 1, "compute")) {
                int at = i + 2;
                while (at < tokenCount() && !is(at, "fn") && !is(at, "{") && !is(at, "}") && !is(at, ";")) {
                    at++;
                }
                if (is(at, "fn") && isName(at + 1)) {
                    names.add(token(at + 1).text());
                }
                i = at;
            }
        }
        return names;
    }

    Optional<Function> function(String name) {
        return functions.stream().filter(each -> each.name().is(name)).findFirst();
    }
}
