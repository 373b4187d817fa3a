package io.devicearena.conformance.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.spi.SpiVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
    private static final String HOSTILE =
            "</h1><script>alert('{{body}}')</script><img src=x onerror=\"alert(1)\">&\u001b[31m\u202e";

    private static String page(HeapProvider... providers) throws IOException {
        ConformanceReport report = ConformanceRunner.run(
                HeapProvider.all(providers),
                clause -> clause.group() == 1 || List.of("4.1", "14.6").contains(clause.id()),
                new ConformanceRequest(Optional.empty(), List.of(), Optional.empty()),
                (clause, done, total) -> {});
        return HtmlReport.of(report, Specification.shipped());
    }

    @Test
    void pageHasVerdictVersionsLimitsAndEveryClause() throws IOException {
        assertThat(page(HeapProvider.sound("small", "one")))
                .contains("<title>Every tested clause holds on small/0</title>")
                .contains("provider SPI " + SpiVersion.CURRENT)
                .contains("<span class=\"id\">small/0</span> one</h3>")
                .contains("<dd>16.00 MiB (16,777,216 bytes), heap for tests</dd>")
                .contains("<dt>largest binding</dt><dd>unlimited</dd>")
                .contains("<dt>capabilities</dt><dd>none</dd>")
                .contains("<a href=\"#group-1\">1 Geometry</a>")
                .contains("<span class=\"number\">1.1</span> <code>sizeIsPlanPlusScratch</code>")
                .contains("<code>sizeBytes()</code> MUST be <code>max(plan + scratch, 1)</code>")
                .contains("a binding of it covers its largest arena")
                .doesNotContain("<h2>Failures</h2>")
                .doesNotContain("{{");
    }

    @Test
    void failureHasMessageRuleIntentAndPosition() throws IOException {
        assertThat(page(HeapProvider.broken("bad", "one")))
                .contains("One clause fails on bad/0</title>")
                .contains("<h2>Failures</h2>")
                .contains("clause 4.1 rangesOutsideAreRefused, provider &#39;bad&#39;, device 0 &#39;one&#39;: ")
                .contains("catches checks that add offset and length")
                .contains(
                        "<summary>Where it failed</summary><pre>org.opentest4j.AssertionFailedError: a write after refused calls");
    }

    @Test
    void namesAndMessagesStayText() throws IOException {
        String page = page(HeapProvider.broken(HOSTILE, HOSTILE), HeapProvider.missing(HOSTILE + "2"));
        assertThat(page)
                .doesNotContain("<script")
                .doesNotContain("<img")
                .doesNotContain("\u001b", "\u202e")
                .contains("&amp;\\u001b[31m\\u202e")
                .contains("&lt;script&gt;alert(&#39;{{body}}&#39;)&lt;/script&gt;")
                .contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"");
    }

    @Test
    void everyElementIsClosedInOrder() throws IOException {
        String page = page(
                HeapProvider.broken("bad", "one", "two"),
                HeapProvider.sound("small", "one"),
                HeapProvider.missing("gone"));
        List<String> open = new ArrayList<>();
        Matcher tag = Pattern.compile("<(/?)([a-z][a-z0-9]*)[^>]*>").matcher(page);
        while (tag.find()) {
            String name = tag.group(2);
            if (tag.group(1).isEmpty()) {
                if (!List.of("meta", "input").contains(name)) {
                    open.add(name);
                }
            } else {
                assertThat(open.removeLast())
                        .as("at %s", page.substring(Math.max(0, tag.start() - 60), tag.end()))
                        .isEqualTo(name);
            }
        }
        assertThat(open).isEmpty();
    }
}
