package io.devicearena.rules;

/**
 * A Java source in two layers of the same length: its code, and its prose (comments and string literals).
 *
 * <p>In the prose every character of code is NUL, so that no phrase reaches over it; what decorates a comment is a
 * blank. In the code every character of prose is a blank. Line breaks stay in both.
 */
record JavaSource(String code, String prose) {
    static JavaSource of(String source) {
        return new Splitter(source).split();
    }

    private static final class Splitter {
        private final String source;
        private final char[] code;
        private final char[] prose;
        private int at;

        Splitter(String source) {
            this.source = source;
            this.code = new char[source.length()];
            this.prose = new char[source.length()];
        }

        JavaSource split() {
            while (at < source.length()) {
                if (source.startsWith("//", at)) {
                    comment(2, "\n");
                } else if (source.startsWith("/*", at)) {
                    comment(2, "*/");
                } else if (source.startsWith("\"\"\"", at)) {
                    literal(3, "\"\"\"");
                } else if (source.charAt(at) == '"') {
                    literal(1, "\"");
                } else if (source.charAt(at) == '\'') {
                    literal(1, "'");
                } else {
                    code();
                }
            }
            return new JavaSource(new String(code), new String(prose));
        }

        private void code() {
            char c = source.charAt(at);
            code[at] = c;
            prose[at] = Character.isWhitespace(c) ? c : '\0';
            at++;
        }

        private void prose(char c) {
            char kept = source.charAt(at) == '\n' ? '\n' : c;
            prose[at] = kept;
            code[at] = kept == '\n' ? '\n' : ' ';
            at++;
        }

        private void comment(int opening, String closing) {
            for (int i = 0; i < opening; i++) {
                prose(' ');
            }
            while (at < source.length() && !source.startsWith(closing, at)) {
                char c = source.charAt(at);
                boolean decorates = c == '*' || (c == '/' && source.charAt(at - 1) == '/');
                prose(decorates ? ' ' : c);
            }
            for (int i = 0; i < closing.length() && at < source.length(); i++) {
                prose(' ');
            }
        }

        private void literal(int opening, String closing) {
            for (int i = 0; i < opening; i++) {
                code();
            }
            while (at < source.length() && !source.startsWith(closing, at)) {
                if (source.charAt(at) == '\\' && at + 1 < source.length()) {
                    prose(' ');
                    prose(' ');
                } else {
                    prose(source.charAt(at));
                }
            }
            for (int i = 0; i < closing.length() && at < source.length(); i++) {
                code();
            }
        }
    }
}
