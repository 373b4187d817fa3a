package io.devicearena.cli.output;

import io.devicearena.cli.input.FamilyInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.FamilyPlan;
import java.io.IOException;
import java.io.StringWriter;

/**
 * Writes one page with the pictures of several graphs in one arena, each in a frame of its own, and links to them.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class FamilyPage {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'; frame-src 'self'">
            <title>Memory plans of several graphs</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem; }
            iframe { width: 100%; height: 92vh; border: 1px solid GrayText; }
            </style>
            </head>
            <body>
            """;

    private FamilyPage() {}

    /**
     * Writes the page.
     *
     * @param input the graphs
     * @param family their plans
     * @param target where the page is written; encode it as UTF-8, as the page declares
     * @throws IOException if writing fails
     */
    public static void write(FamilyInput input, FamilyPlan family, Appendable target) throws IOException {
        FamilyTable table = new FamilyTable(input, family);
        SegmentTable segments = table.segments();
        target.append(HEAD).append("<h1>Several graphs in one arena</h1>\n<p>");
        target.append(HumanReadable.bytes(family.arenaBytes()) + ", of which "
                + HumanReadable.bytes(family.sharedBytes()) + " are shared values.</p>\n<ul>\n");
        int number = 0;
        for (String name : input.members().keySet()) {
            target.append("<li><a href=\"#graph" + ++number + "\">" + shown(name) + "</a></li>\n");
        }
        target.append("</ul>\n");
        number = 0;
        for (String member : input.members().keySet()) {
            StringWriter page = new StringWriter();
            PlanPage.of(member, table.planned(member), segments.layout()).write(page);
            String name = shown(member);
            target.append(
                    "<h2 id=\"graph" + ++number + "\">" + name + "</h2>\n<iframe title=\"" + name + "\" srcdoc=\"");
            target.append(escaped(page.toString())).append("\"></iframe>\n");
        }
        target.append("</body>\n</html>\n");
    }

    private static String shown(String name) {
        return escaped(TerminalText.visible(name));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
