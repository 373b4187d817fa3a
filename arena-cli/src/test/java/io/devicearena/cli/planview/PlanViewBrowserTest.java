package io.devicearena.cli.planview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.SegmentLayout;
import java.io.File;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Opens pages in headless Chromium, all in one start, and reads the resulting documents. */
class PlanViewBrowserTest {
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final String NO_FAULT = "<p id=\"fault\" class=\"fault\" role=\"alert\" hidden=\"\"></p>";

    private static final Optional<Path> BROWSER = BROWSERS.stream()
            .flatMap(name -> Stream.of(
                            System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                    .filter(folder -> !folder.isEmpty())
                    .map(folder -> Path.of(folder, name)))
            .filter(Files::isExecutable)
            .findFirst();

    private static final List<PlanViewValue> FOUR = List.of(
            Pages.value(10, 0, 4, 0, 256, "weight", "parameter"),
            Pages.value(11, 1, 3, 256, 512, "conv", "op"),
            Pages.view(12, 2, 256, 256, "reshape", 11),
            Pages.value(13, 3, 4, 256, 128, "logits", "output"));

    /**
     * A page to open.
     *
     * @param check looks at the document that the page has become
     */
    private record Scene(String name, String page, Consumer<String> check) {
        private static final String OUTCOME = "<pre id=\"outcome\" hidden=\"\">";

        /**
         * A page on which a script runs. Frames are drawn when the script asks for one, so the test never waits and
         * does not depend on the speed of the machine.
         *
         * @param check looks at the lines that the script prints
         */
        static Scene acting(String name, String page, String script, Consumer<String> check) {
            String acting = page.replace("<body>", """
                    <body><pre id="outcome" hidden></pre><script>
                    let pendingFrame = null;
                    window.requestAnimationFrame = draw => { pendingFrame = draw; return 1; };
                    function frame() { const draw = pendingFrame; pendingFrame = null; if (draw) { draw(performance.now()); } }
                    </script>""").replace("</body>", """
                    <script>
                    const byId = id => document.getElementById(id);
                    const plot = byId('plot');
                    const box = plot.getBoundingClientRect();
                    const print = line => { byId('outcome').textContent += line + '\\n'; };
                    const at = (x, y, more) => ({clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true, ...more});
                    const send = (event, target = plot) => { target.dispatchEvent(event); frame(); };
                    const key = (name, target = plot) => send(new KeyboardEvent('keydown', {key: name, bubbles: true}), target);
                    const point = (x, y) => {
                      send(new PointerEvent('pointermove', at(x, y, {pointerId: 1})));
                      return byId('tip').hidden ? '' : byId('tip').querySelector('b').textContent;
                    };
                    """ + script + "</script></body>");
            return new Scene(name, acting, dom -> {
                assertThat(dom.lines().filter(line -> line.contains("id=\"fault\"")))
                        .containsExactly(NO_FAULT);
                int start = dom.indexOf(OUTCOME) + OUTCOME.length();
                check.accept(dom.substring(start, dom.indexOf("</pre>", start)));
            });
        }
    }

    @TestFactory
    Stream<DynamicTest> pages(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(
                BROWSER.isPresent(),
                "SKIPPED: the page was not opened in a browser: none of " + BROWSERS + " is on the PATH");
        List<Scene> scenes = List.of(
                pageHasSummaryTableAndDrawing(),
                emptyPlanIsShownAsEmpty(),
                numbersAbove2To53KeepTheirDigits(),
                stepsInNanosecondsKeepTheirDigits(),
                segmentsAreListedAndTheirEndsDrawn(),
                moreEndsThanPixelsAreCounted(),
                hundredThousandBoxesAreDrawnAndFound(),
                detailsLinkToOtherValuesAndKeepTheFocus(),
                pointingAtABoxShowsItsDetails(),
                wheelZoomsAndKeysPanAndFit(),
                searchNarrowsTheTableAndEnterPinsTheNextMatch());
        List<String> documents = documents(folder, scenes);
        return IntStream.range(0, scenes.size())
                .mapToObj(i -> DynamicTest.dynamicTest(
                        scenes.get(i).name(), () -> scenes.get(i).check().accept(documents.get(i))));
    }

    /** Opens each page in a frame of its own, of one page that prints the documents of its frames in the end. */
    private static List<String> documents(Path folder, List<Scene> scenes) throws IOException, InterruptedException {
        StringBuilder page = new StringBuilder("""
                <!DOCTYPE html><meta charset="utf-8">
                <style>iframe { position: absolute; left: 0; top: 0; width: 1200px; height: 900px; border: 0; }</style>
                """);
        for (Scene scene : scenes) {
            String source = scene.page().replace("&", "&amp;").replace("\"", "&quot;");
            page.append("<iframe srcdoc=\"").append(source).append("\"></iframe>\n");
        }
        page.append("""
                <script>
                addEventListener('load', () => setTimeout(() => {
                  for (const frame of [...document.querySelectorAll('iframe')]) {
                    const printed = document.createElement('pre');
                    printed.textContent = encodeURIComponent(frame.contentDocument.documentElement.outerHTML);
                    frame.replaceWith(printed);
                  }
                }, 500));
                </script>
                """);
        String printed = printed(folder, page.toString());
        List<String> documents = Pattern.compile("<pre>(.*?)</pre>")
                .matcher(printed)
                .results()
                .map(found -> URLDecoder.decode(found.group(1), StandardCharsets.UTF_8))
                .toList();
        assertThat(documents).hasSameSizeAs(scenes);
        return documents;
    }

    private static String printed(Path folder, String page) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("page.html"), page);
        Path dom = folder.resolve("dom.html");
        Process browser = new ProcessBuilder(
                        BROWSER.orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox", // the sandbox needs a user other than root; the page is our own
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=1000",
                        "--window-size=1200,900",
                        "--dump-dom",
                        file.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(folder.resolve("browser.log").toFile())
                .start();
        try {
            assertThat(browser.waitFor(10, TimeUnit.MINUTES))
                    .as("the browser ended within 10 min")
                    .isTrue();
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
        return Files.readString(dom);
    }

    private static Scene pageHasSummaryTableAndDrawing() throws IOException {
        String hostile = "</script><img src=x onerror=\"document.body.textContent='broken'\">";

        return new Scene(
                "pageHasSummaryTableAndDrawing",
                Pages.page(
                        "small",
                        1024,
                        768,
                        List.of(
                                Pages.value(10, 0, 4, 0, 256, "weight", "parameter"),
                                Pages.value(11, 1, 3, 256, 512, hostile, "op"),
                                Pages.view(12, 2, 256, 256, "reshape", 11),
                                Pages.value(13, 3, 4, 256, 128, "logits", "output"))),
                dom -> {
                    assertThat(dom)
                            .contains(NO_FAULT)
                            .contains("The plan places 4 values in an arena of 1,024 bytes (1.00 KiB)."
                                    + " The largest load is 768 bytes, first at step 1."
                                    + " The lower bound for these live ranges is 768 bytes (768 B);"
                                    + " the arena is 256 bytes (256 B, 33.3 %) larger.")
                            .contains("4 values, drawn in ")
                            .contains(">At the peak, step 1</h2>")
                            .doesNotContain("<img");
                    assertThat(dom.split("<tr data-value=", -1)).hasSize(5);
                });
    }

    private static Scene emptyPlanIsShownAsEmpty() throws IOException {
        return new Scene("emptyPlanIsShownAsEmpty", Pages.page("nothing", 0, 0, List.of()), dom -> {
            assertThat(dom)
                    .contains(NO_FAULT)
                    .contains("<section id=\"empty\" class=\"empty\">")
                    .contains("The plan places 0 values in an arena of 0 bytes (0 B).");
        });
    }

    private static Scene numbersAbove2To53KeepTheirDigits() throws IOException {
        long size = (1L << 60) + 1;

        return new Scene(
                "numbersAbove2To53KeepTheirDigits",
                Pages.page(
                        "large",
                        2 * size,
                        2 * size - 1,
                        List.of(
                                Pages.value(0, 0, 2, 0, size, "low", "op"),
                                Pages.value(1, 1, 3, size, size, "high", "op"))),
                dom -> {
                    assertThat(dom)
                            .contains(NO_FAULT)
                            .contains("The largest load is 2,305,843,009,213,693,954 bytes")
                            .contains("the arena is 1 byte (1 B, less than 0.01 %) larger")
                            .contains("<td class=\"number\">1,152,921,504,606,846,977</td>");
                });
    }

    private static Scene stepsInNanosecondsKeepTheirDigits() throws IOException {
        long first = 1_753_000_000_123_456_789L;

        return Scene.acting(
                "stepsInNanosecondsKeepTheirDigits",
                Pages.page(
                        "nanoseconds",
                        768,
                        768,
                        List.of(
                                Pages.value(0, first, first + 20, 0, 256, "early", "op"),
                                Pages.value(1, first + 20, first + 21, 0, 256, "brief", "op"),
                                Pages.value(2, first + 20, first + 40, 256, 512, "late", "op"))),
                """
                print(byId('summary').textContent.split('. ')[1]);
                const seen = new Set();
                for (let y = 30; y < 400; y += 16) {
                  for (let x = 70; x < 780; x += 5) {
                    seen.add(point(x, y));
                  }
                }
                print([...seen].filter(Boolean).sort().join(' '));
                print(byId('details').querySelector('h2').textContent);
                const rows = () => [...byId('table').tBodies[0].rows].map(row => row.cells[0].textContent).join(' ');
                byId('table').tHead.querySelectorAll('button')[7].click();
                byId('table').tHead.querySelectorAll('button')[7].click();
                print(rows());
                """,
                outcome -> {
                    assertThat(outcome.lines())
                            .containsExactly(
                                    "The largest load is 768 bytes, first at step 1,753,000,000,123,456,809",
                                    "brief early late",
                                    "At the peak, step 1,753,000,000,123,456,809",
                                    "brief late early");
                });
    }

    private static Scene segmentsAreListedAndTheirEndsDrawn() throws IOException {
        List<PlanViewValue> values = List.of(
                Pages.value(0, 0, 4, 0, 256, "first", "op"),
                Pages.value(1, 0, 4, 256, 512, "longer than a segment", "op"),
                Pages.value(2, 0, 4, 768, 64, "last", "op"));
        SegmentLayout segments = SegmentLayout.of(
                values.stream().collect(Collectors.toMap(value -> value.buffer().id(), PlanViewValue::slot)),
                832,
                320,
                16);

        return Scene.acting(
                "segmentsAreListedAndTheirEndsDrawn",
                Pages.page("segments", 832, 832, segments, values),
                """
                print([...byId('figures').querySelectorAll('div')].find(each => each.textContent.startsWith('Segments')).textContent);
                print(byId('summary').textContent.split('. ')[1]);
                const column = [...byId('table').tHead.rows[0].cells].findIndex(cell => cell.textContent === 'Segment');
                print([...byId('table').tBodies[0].rows].map(row => row.cells[column].textContent).join(', '));
                key('n');
                key('n');
                print(byId('details').querySelector('dl').textContent);
                const context = CanvasRenderingContext2D.prototype;
                const {fillText, setLineDash} = context;
                const labels = [];
                let lines = 0;
                context.fillText = function (text, ...more) {
                  labels.push(text);
                  fillText.call(this, text, ...more);
                };
                context.setLineDash = function (dash) {
                  lines += String(dash) === '10,4' ? 1 : 0;
                  setLineDash.call(this, dash);
                };
                key('0');
                print(lines);
                print(labels.filter(text => text.startsWith('segment')).join(', '));
                """,
                outcome -> {
                    assertThat(outcome.lines())
                            .containsExactly(
                                    "Segments3the largest has 320 B",
                                    "The arena is held in 3 segments, of which the largest has 320 bytes (320 B)",
                                    "1, 2 to 3, 3",
                                    "Shape[4, 16]Typef32Offset256 bytes256 BSize512 bytes512 BEnds before768 bytes"
                                            + "Segment2 to 3 of 3Live range[0, 4)4 stepsNode1",
                                    "2",
                                    "segment 1 of 3 ends at 256 B, segment 2 of 3 ends at 576 B");
                });
    }

    private static Scene moreEndsThanPixelsAreCounted() throws IOException {
        SegmentLayout segments = SegmentLayout.of(Map.of(), 1L << 20, 64, 64);

        return Scene.acting(
                "moreEndsThanPixelsAreCounted",
                Pages.page(
                        "many segments",
                        1L << 20,
                        1L << 20,
                        segments,
                        List.of(Pages.value(0, 0, 4, 0, 1L << 20, "whole", "op"))),
                """
                const texts = [];
                const draw = CanvasRenderingContext2D.prototype.fillText;
                CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
                  texts.push(text);
                  draw.call(this, text, ...more);
                };
                key('0');
                print(texts.filter(text => text.includes('segment')).join());
                texts.length = 0;
                for (let i = 0; i < 60; i++) {
                  key('+');
                }
                print(texts.filter(text => /^segment [0-9,]+ of 16,384 ends at [0-9.]+ KiB$/.test(text)).length > 0);
                """,
                outcome -> {
                    assertThat(outcome.lines())
                            .containsExactly("16,383 segments end in this range; zoom in to see where", "true");
                });
    }

    private static Scene hundredThousandBoxesAreDrawnAndFound() throws IOException {
        List<PlanViewValue> values = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            int lane = i % 200;
            long step = i / 200 * 10L + lane % 10;
            values.add(Pages.value(i, step, step + 9, lane * 4096L, 4096, "layer" + i % 97 + "/op" + i, "op"));
        }
        return Scene.acting(
                "hundredThousandBoxesAreDrawnAndFound",
                Pages.page("many", 200 * 4096L, 200 * 4096L, values),
                """
                print(point(400, 200).startsWith('layer'));
                send(new WheelEvent('wheel', at(400, 200, {deltaY: -60})));
                print(point(400, 200).startsWith('layer'));
                key('+');
                print(point(400, 200).startsWith('layer'));
                """,
                outcome -> {
                    assertThat(outcome.lines()).containsExactly("true", "true", "true");
                });
    }

    private static Scene detailsLinkToOtherValuesAndKeepTheFocus() throws IOException {
        List<PlanViewValue> values = new ArrayList<>();
        values.add(Pages.value(0, 0, 1, 0, 64, "first", "op"));
        values.add(Pages.inPlace(1, 1, 2, 0, 64, "second", 0));
        for (int i = 2; i < 60; i++) {
            values.add(Pages.value(i, i, i + 1L, 0, 64, "later" + i, "op"));
        }
        return Scene.acting(
                "detailsLinkToOtherValuesAndKeepTheFocus", Pages.page("chain", 64, 64, values), """
                const details = byId('details');
                const press = button => { button.focus(); button.click(); frame(); };
                const button = text => [...details.querySelectorAll('button')].find(each => each.textContent.startsWith(text));
                const under = text => [...details.querySelectorAll('h3')].find(each => each.textContent.startsWith(text))
                  ?.nextSibling.textContent;
                key('n');
                print(details.querySelector('h2').textContent + ', then ' + under('Overwritten by'));
                key('n');
                print(details.querySelector('h2').textContent + ' over ' + under('Overwrites'));
                print(button('and').textContent);
                press(button('and'));
                print(document.activeElement.textContent + ', ' + details.querySelectorAll('li').length);
                press(button('later9'));
                print(document.activeElement.tagName + ' ' + document.activeElement.textContent);
                press(button('Show in table'));
                print(document.activeElement.textContent + ' in ' + byId('rows').textContent);
                press(byId('page-last'));
                print(document.activeElement.id + ': ' + byId('rows').textContent);
                key('p');
                print(details.querySelector('h2').textContent);
                press(button('Unpin'));
                print(document.activeElement.textContent);
                """, outcome -> {
                    assertThat(outcome.lines())
                            .containsExactly(
                                    "first, then second[1, 2)",
                                    "second over first[0, 1)",
                                    "and 51 more",
                                    "later9[9, 10), 60",
                                    "H2 later9",
                                    "later9 in 1 to 50 of 60",
                                    "page-last: 51 to 60 of 60",
                                    "later8",
                                    "At the peak, step 0");
                });
    }

    private static Scene pointingAtABoxShowsItsDetails() throws IOException {
        return Scene.acting("pointingAtABoxShowsItsDetails", Pages.page("small", 1024, 768, FOUR), """
                const read = {};
                for (let y = 30; y < 400; y += 12) {
                  for (let x = 70; x < 780; x += 12) {
                    point(x, y);
                    const name = byId('tip').hidden ? '' : byId('tip').querySelector('b').textContent;
                    if (name && !read[name]) {
                      read[name] = byId('tip').textContent + ' / ' + byId('details').textContent;
                    }
                  }
                }
                for (const name of Object.keys(read).sort()) {
                  print(read[name]);
                }
                """, outcome -> {
            assertThat(outcome.lines())
                    .containsExactly(
                            "conv512 B at 256 B, opf32 [4, 16]live [1, 3)shares bytes with 1 value, next in time logits / conv opShape[4, 16]Typef32Offset256 bytes256 B"
                                    + "Size512 bytes512 BEnds before768 bytesLive range[1, 3)2 stepsNode111 viewreshape256 B"
                                    + "Shares bytes with 1 value, nearest in time firstlogits[3, 4)",
                            "logits128 B at 256 B, outputf32 [4, 16]live [3, 4)shares bytes with 1 value, next in time conv / logits outputShape[4, 16]Typef32Offset256"
                                    + " bytes256 BSize128 bytes128 BEnds before384 bytesLive range[3, 4)1 stepNode13"
                                    + "Shares bytes with 1 value, nearest in time firstconv[1, 3)",
                            "reshape256 B at 256 B, viewf32 [64]live at 2shares bytes with 1 value, next in time logits / reshape viewShape[64]Typef32Offset256 bytes256 B"
                                    + "Size256 bytes256 BEnds before512 bytesLive rangeat 2no live range of its ownNode12"
                                    + "Shows bytes ofconv512 BShares bytes with 1 value, nearest in time firstlogits[3, 4)",
                            "weight256 B at 0 B, parameterf32 [4, 16]live [0, 4)shares bytes with no other value / weight parameterShape[4, 16]Typef32Offset0"
                                    + " bytes0 BSize256 bytes256 BEnds before256 bytesLive range[0, 4)4 stepsNode10"
                                    + "Shares bytes with no other value");
        });
    }

    private static Scene wheelZoomsAndKeysPanAndFit() throws IOException {
        return Scene.acting("wheelZoomsAndKeysPanAndFit", Pages.page("small", 1024, 768, FOUR), """
                const seen = () => {
                  const found = {};
                  for (let y = 30; y < 400; y += 16) {
                    for (let x = 70; x < 780; x += 16) {
                      const name = point(x, y);
                      found[name] = (found[name] ?? 0) + 1;
                    }
                  }
                  return found;
                };
                const before = seen();
                const hits = [];
                for (let y = 30; y < 400; y += 8) {
                  for (let x = 70; x < 780; x += 8) {
                    if (point(x, y) === 'logits') {
                      hits.push({x, y});
                    }
                  }
                }
                const place = hits[hits.length >> 1];
                for (let i = 0; i < 3; i++) {
                  send(new WheelEvent('wheel', at(place.x, place.y, {deltaY: -240})));
                }
                print('the same box under the pointer: ' + (point(place.x, place.y) === 'logits'));
                const near = seen();
                print('it is larger: ' + (near.logits > 2 * before.logits));
                print('the first box is out of view: ' + !near.weight);
                for (let i = 0; i < 30; i++) {
                  key('ArrowLeft');
                  key('ArrowDown');
                }
                print('keys pan to it: ' + (seen().weight > 0));
                key('0');
                print('0 shows everything as before: ' + (JSON.stringify(seen()) === JSON.stringify(before)));
                """, outcome -> {
            assertThat(outcome.lines())
                    .containsExactly(
                            "the same box under the pointer: true",
                            "it is larger: true",
                            "the first box is out of view: true",
                            "keys pan to it: true",
                            "0 shows everything as before: true");
        });
    }

    private static Scene searchNarrowsTheTableAndEnterPinsTheNextMatch() throws IOException {
        return Scene.acting(
                "searchNarrowsTheTableAndEnterPinsTheNextMatch", Pages.page("small", 1024, 768, FOUR), """
                const search = byId('search');
                const pinned = () => byId('details').querySelector('h2').textContent;
                const rows = () => [...byId('table').tBodies[0].rows].map(row => row.cells[0].textContent).join(' ');
                const find = text => {
                  search.value = text;
                  send(new Event('input', {bubbles: true}), search);
                };
                find('E');
                print(byId('matches').textContent + ': ' + rows());
                key('Enter', search);
                print(pinned());
                key('Enter', search);
                print(pinned());
                find('nothing of that name');
                print(byId('matches').textContent + ': ' + rows());
                key('Escape', search);
                print(rows());
                byId('table').tHead.querySelectorAll('button')[5].click();
                print(rows());
                """, outcome -> {
                    assertThat(outcome.lines())
                            .containsExactly(
                                    "2 of 4: weight reshape",
                                    "weight",
                                    "reshape",
                                    "0 of 4: ",
                                    "weight conv reshape logits",
                                    "conv weight reshape logits");
                });
    }
}
