package io.devicearena.cli.planview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.SegmentLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PlanViewPageTest {
    private static final List<PlanViewValue> SMALL = List.of(
            Pages.value(10, 0, 4, 0, 256, "weight", "parameter"),
            Pages.value(11, 1, 3, 256, 512, "conv \"1\" \u00fc", "op"),
            Pages.view(12, 2, 256, 256, "conv/reshape", 11),
            Pages.value(13, 3, 4, 256, 128, "logits", "output"));

    @Nested
    class Data {
        @Test
        void dataReadBackAsWritten() throws IOException {
            Map<?, ?> data = Pages.data(Pages.page("small", 768, 700, SMALL));

            assertThat(data.get("title")).isEqualTo("small");
            assertThat(data.get("subtitle")).isEqualTo("aligned to 16 bytes");
            assertThat(data.get("arena")).isEqualTo(768L);
            assertThat(data.get("bound")).isEqualTo(700L);
            assertThat(data.get("segmentEnds")).isEqualTo(List.of(768L));
            assertThat(data.get("id")).isEqualTo(List.of(10L, 11L, 12L, 13L));
            assertThat(data.get("lower")).isEqualTo(List.of(0L, 1L, 2L, 3L));
            assertThat(data.get("upper")).isEqualTo(List.of(4L, 3L, 2L, 4L));
            assertThat(data.get("offset")).isEqualTo(List.of(0L, 256L, 256L, 256L));
            assertThat(data.get("size")).isEqualTo(List.of(256L, 512L, 256L, 128L));
            assertThat(data.get("name")).isEqualTo(List.of("weight", "conv \"1\" \u00fc", "conv/reshape", "logits"));
            assertThat(data.get("roles")).isEqualTo(PlanViewValue.ROLES);
            assertThat(data.get("role")).isEqualTo(List.of(1L, 4L, 7L, 5L));
            assertThat(data.get("shapes")).isEqualTo(List.of("[4, 16]", "[64]"));
            assertThat(data.get("shape")).isEqualTo(List.of(0L, 0L, 1L, 0L));
            assertThat(data.get("dtypes")).isEqualTo(List.of("f32"));
            assertThat(data.get("dtype")).isEqualTo(List.of(0L, 0L, 0L, 0L));
            assertThat(data.get("viewPlace")).isEqualTo(List.of(2L));
            assertThat(data.get("viewParent")).isEqualTo(List.of(11L));
            assertThat(data.get("inPlace")).isEqualTo(List.of());
        }

        @Test
        void valueWrittenInPlaceNamesWhatItOverwrites() throws IOException {
            Map<?, ?> data = Pages.data(Pages.page(
                    "relu",
                    64,
                    64,
                    List.of(Pages.value(7, 0, 1, 0, 64, "conv", "op"), Pages.inPlace(8, 1, 2, 0, 64, "relu", 7))));

            assertThat(data.get("inPlace")).isEqualTo(List.of(1L));
            assertThat(data.get("inPlaceOf")).isEqualTo(List.of(7L));
        }

        @Test
        void numbersThatF64WouldRoundAreStrings() throws IOException {
            long exact = (1L << 53) - 1;
            Map<?, ?> data = Pages.data(Pages.page(
                    "large",
                    Long.MAX_VALUE,
                    exact + 1,
                    List.of(Pages.value(Long.MAX_VALUE, 0, exact, exact, exact + 2, "large", "op"))));

            assertThat(data.get("arena")).isEqualTo("9223372036854775807");
            assertThat(data.get("bound")).isEqualTo("9007199254740992");
            assertThat(data.get("id")).isEqualTo(List.of("9223372036854775807"));
            assertThat(data.get("upper")).isEqualTo(List.of(exact));
            assertThat(data.get("offset")).isEqualTo(List.of(exact));
            assertThat(data.get("size")).isEqualTo(List.of("9007199254740993"));
        }

        @Test
        void endsOfSegmentsAreWritten() throws IOException {
            long large = 1L << 53;
            SegmentLayout segments = SegmentLayout.of(Map.of(), 2 * large + 16, large, 16);

            Map<?, ?> data = Pages.data(Pages.page("segments", 2 * large + 16, 0, segments, List.of()));

            assertThat(data.get("segmentEnds"))
                    .isEqualTo(List.of("9007199254740992", "18014398509481984", "18014398509482000"));
        }

        @Test
        void emptyPlanGivesAPage() throws IOException {
            Map<?, ?> data = Pages.data(Pages.page("nothing", 0, 0, List.of()));

            assertThat(data.get("id")).isEqualTo(List.of());
            assertThat(data.get("shapes")).isEqualTo(List.of());
        }

        @Test
        void hundredThousandValuesTakeAFewMegabytes() throws IOException {
            SplittableRandom random = new SplittableRandom(1);
            List<PlanViewValue> values = new ArrayList<>();
            for (int i = 0; i < 100_000; i++) {
                long lower = random.nextLong(100_000);
                long upper = lower + 1 + random.nextLong(500);
                values.add(Pages.value(
                        i, lower, upper, 64 * random.nextLong(1L << 24), 64, "model/layer" + i % 97 + "/op" + i, "op"));
            }

            String page = Pages.page("many", 1L << 30, 1L << 30, values);

            assertThat(page.length()).isBetween(3_000_000, 8_000_000);
            assertThat(Pages.data(page).get("name"))
                    .isEqualTo(values.stream().map(PlanViewValue::name).toList());
        }
    }

    @Nested
    class Text {
        @Test
        void pageLoadsNothingElse() throws IOException {
            assertThat(Pages.page("small", 768, 768, SMALL).toLowerCase(Locale.ROOT))
                    .startsWith("<!doctype html>")
                    .contains("default-src 'none'")
                    .doesNotContain("http://", "https://", "src=", "href=", "url(", "@import", "import(", "fetch(")
                    .doesNotContain("xmlhttprequest", "innerhtml", "{{")
                    .endsWith("</html>\n");
        }

        @Test
        void halfASurrogatePairBecomesAReplacementCharacter() throws IOException {
            String page = Pages.page(
                    "t\ud83d", 64, 64, List.of(Pages.value(0, 0, 1, 0, 64, "\udc00\ud83d\ude00 \ud83d", "op")));

            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(page)).isTrue();
            assertThat(Pages.data(page).get("title")).isEqualTo("t\ufffd");
            assertThat(Pages.data(page).get("name")).isEqualTo(List.of("\ufffd\ud83d\ude00 \ufffd"));
        }

        @Test
        void hostileNamesDoNotEndAnElement() throws IOException {
            String hostile = "</script></title><!--<script><img src=x onerror=alert(1)>&lt;";
            String page =
                    Pages.page(hostile, 64, 64, List.of(Pages.value(0, 0, 1, 0, 64, hostile, "op"), SMALL.getFirst()));

            assertThat(page).doesNotContain("<img", "<!--");
            assertThat(page.split("</script", -1)).hasSize(3); // two ends: the data's and the script's own
            assertThat(page.split("</title", -1)).hasSize(2);
            assertThat(Pages.data(page).get("name")).isEqualTo(List.of(hostile, "weight"));
            assertThat(Pages.data(page).get("title")).isEqualTo(hostile);
        }

        @Test
        void controlCharactersAreEscaped() throws IOException {
            String hostile = "a\u0000\u001b[31m\u009b\u202eb\u2066\n";
            String page = Pages.page(hostile, 64, 64, List.of(Pages.value(0, 0, 1, 0, 64, hostile, "op")));

            String shown = "a\\u0000\\u001b[31m\\u009b\\u202eb\\u2066\\u000a";
            assertThat(page).contains("<title>" + shown + "</title>");
            assertThat(page.replace("\n", "")).doesNotContainPattern("[\\p{Cc}\u202a-\u202e\u2066]");
            assertThat(Pages.data(page).get("title")).isEqualTo(shown);
            assertThat(Pages.data(page).get("name")).isEqualTo(List.of(shown));
        }

        @Test
        void titleThatLooksLikeAPlaceholderStaysText() throws IOException {
            String page = Pages.page("{{data}}{{script}}", 768, 768, SMALL);

            assertThat(page).contains("<title>{{data}}{{script}}</title>");
            assertThat(Pages.data(page).get("id")).isEqualTo(List.of(10L, 11L, 12L, 13L));
        }
    }

    @Nested
    class Arguments {
        @Test
        void unknownRoleIsRejected() {
            assertThatThrownBy(() -> Pages.value(0, 0, 1, 0, 64, "x", "weights"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("role: expected one of [input, parameter, constant, state, op, output, buffer, view],"
                            + " got 'weights'");
        }

        @Test
        void negativeSizesAreRejected() {
            assertThatThrownBy(() -> Pages.page("x", -1, 0, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("arena: expected 0 or more bytes, got -1");
            assertThatThrownBy(() -> Pages.page("x", 0, -2, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lower bound: expected 0 or more bytes, got -2");
        }
    }
}
