package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.kernel.KernelSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    record Attribute(String name, Range all, Range arguments) {
        /** Returns the arguments of the first attribute with a name. */
        static Optional<Range> arguments(List<Attribute> attributes, String name) {
            return attributes.stream()
                    .filter(each -> each.name().equals(name))
                    .map(Attribute::arguments)
                    .findFirst();
        }
    }

    /**
     * {@code const}, {@code override}, {@code var} or {@code alias}. Threads: immutable.
     *
     * @param space the tokens between the angle brackets of a {@code var}
     * @param type what is behind the colon
     * @param value what is behind the equals sign; that of an alias is a type
     */
    record Named(
            WgslToken keyword,
            WgslToken name,
            List<Attribute> attributes,
            Range space,
            @Nullable Range type,
            @Nullable Range value,
            int semicolon) {}

    /** A member of a struct. Threads: immutable. */
    record Member(List<Attribute> attributes, Range type) {}

    /** {@code fn}, with its tokens from the opening parenthesis to the end of its body. Threads: immutable. */
    record Function(WgslToken name, Range code) {}

    /** Aliases of aliases that are followed: they may form a cycle. */
    private static final int MAX_ALIASES = 64;

    /** {@code enable}, {@code requires} and {@code diagnostic}, each up to its semicolon. */
    final List<Range> directives = new ArrayList<>();

    private final List<Named> named = new ArrayList<>();
    private final Map<String, List<Member>> structs = new HashMap<>();
    final List<Function> functions = new ArrayList<>();
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
        while (at < module.tokens.size()) {
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
            case "const", "override", "var", "alias" -> named(at, attributes);
            case "struct" -> struct(at);
            case "fn" -> function(at, attributes);
            default -> skip(at);
        };
        return Math.max(end, at + 1);
    }

    private int directive(int at) {
        int end = semicolon(at);
        directives.add(new Range(at, Math.min(end + 1, tokens.size())));
        return end + 1;
    }

    private int named(int at, List<Attribute> attributes) {
        int semicolon = semicolon(at);
        int name = at + 1;
        Range space = new Range(name, name);
        if (is(name, "<")) {
            int close = find(name + 1, semicolon, ">");
            space = new Range(name + 1, close);
            name = close + 1;
        }
        if (semicolon < tokens.size() && isName(name)) {
            int assign = find(name + 1, semicolon, "=");
            Range type = is(name + 1, ":") ? new Range(name + 2, assign) : null;
            Range value = assign < semicolon ? new Range(assign + 1, semicolon) : null;
            named.add(new Named(token(at), token(name), attributes, space, type, value, semicolon));
            declare(token(name), name, semicolon);
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
        while (body < tokens.size() && !is(body, "{") && !is(body, ";")) {
            body = skip(body);
        }
        int end = body < tokens.size() ? skip(body) : body;
        functions.add(new Function(token(at + 1), new Range(at + 2, end)));
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
            return new Attribute(name, new Range(at, Math.min(at + 2, tokens.size())), new Range(at + 2, at + 2));
        }
        int end = skip(at + 2);
        int last = is(end - 2, ",") ? end - 2 : end - 1;
        return new Attribute(name, new Range(at, end), new Range(at + 3, Math.max(last, at + 3)));
    }

    /** The declarations that begin with a keyword. */
    List<Named> named(String keyword) {
        return named.stream().filter(each -> each.keyword().is(keyword)).toList();
    }

    /**
     * Returns the names of declarations that a function needs, directly or through others, with its own. A local name
     * counts as the declaration of the same name.
     *
     * <p>Source: WGSL, section 10.1 (static access).
     */
    Set<String> namesOf(String function) {
        Set<String> reached = new HashSet<>(Set.of(function));
        Deque<String> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            String from = open.pop();
            for (Range range : declarations.getOrDefault(from, List.of())) {
                for (int i = range.begin(); i < range.end(); i++) {
                    String name = token(i).text();
                    boolean member = is(i - 1, ".") || is(i - 1, "@") || (structs.containsKey(from) && is(i + 1, ":"));
                    if (!member && declarations.containsKey(name) && reached.add(name)) {
                        open.push(name);
                    }
                }
            }
        }
        return reached;
    }

    /** The tokens of the value of a constant; empty without a constant or a value. */
    Optional<Range> constant(String name) {
        return value("const", name).or(() -> value("override", name));
    }

    /** The tokens of the type that an alias stands for. */
    Optional<Range> alias(String name) {
        return value("alias", name);
    }

    private Optional<Range> value(String keyword, String name) {
        return named(keyword).stream()
                .filter(each -> each.name().is(name))
                .findFirst()
                .flatMap(each -> Optional.ofNullable(each.value()));
    }

    Optional<List<Member>> struct(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    /** Returns what the aliases of a type stand for; the type itself if it is none, or not a single name. */
    Range resolved(Range type) {
        Range resolved = type;
        for (int i = 0; i < MAX_ALIASES && resolved.end() - resolved.begin() == 1; i++) {
            Optional<Range> alias = alias(token(resolved.begin()).text());
            if (alias.isEmpty()) {
                break;
            }
            resolved = alias.get();
        }
        return resolved;
    }

    /** The names of the compute functions; those of a source with wrong brackets too. */
    List<String> entryPoints() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (is(i, "@") && is(i + 1, "compute")) {
                int at = i + 2;
                while (at < tokens.size() && !is(at, "fn") && !is(at, "{") && !is(at, "}") && !is(at, ";")) {
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
