package io.devicearena.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens pages in Chromium, without a window, and reads what the script made of them. */
class PlanPictureBrowserTest {
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final String NO_FAULT = "<p id=\"fault\" class=\"fault\" role=\"alert\" hidden=\"\"></p>";

    private static final Optional<Path> BROWSER = BROWSERS.stream()
            .flatMap(name -> Stream.of(
                            System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                    .filter(folder -> !folder.isEmpty())
                    .map(folder -> Path.of(folder, name)))
            .filter(Files::isExecutable)
            .findFirst();

    @BeforeEach
    void needsABrowser() {
        assumeTrue(
                BROWSER.isPresent(),
                "SKIPPED: the picture was not opened in a browser, none of " + BROWSERS + " is on the PATH");
    }

    @Test
    void theBrowserRendersSummaryTableAndPicture(@TempDir Path folder) throws Exception {
        String hostile = "</script><img src=x onerror=\"document.body.textContent='broken'\">";

        String dom = render(
                folder,
                Pages.page(
                        "small",
                        1024,
                        768,
                        List.of(
                                Pages.value(10, 0, 4, 0, 256, "weight", "parameter"),
                                Pages.value(11, 1, 3, 256, 512, hostile, "op"),
                                Pages.view(12, 2, 256, 256, "reshape", 11),
                                Pages.value(13, 3, 4, 256, 128, "logits", "output"))));

        assertThat(dom)
                .contains(NO_FAULT)
                .contains("The plan places 4 values in an arena of 1,024 bytes (1.00 KiB)."
                        + " At most 768 bytes are live together, first at step 1."
                        + " No plan can do with less than the lower bound of 768 bytes (768 B);"
                        + " the arena is 256 bytes (256 B, 33.3 %) larger.")
                .contains("4 values, drawn in ")
                .contains(">At the peak, step 1</h2>")
                .doesNotContain("<img");
        assertThat(dom.split("<tr data-value=", -1)).hasSize(5);
    }

    @Test
    void theBrowserSaysThatAnEmptyPlanIsEmpty(@TempDir Path folder) throws Exception {
        String dom = render(folder, Pages.page("nothing", 0, 0, List.of()));

        assertThat(dom)
                .contains(NO_FAULT)
                .contains("<section id=\"empty\" class=\"empty\">")
                .contains("The plan places 0 values in an arena of 0 bytes (0 B).");
    }

    @Test
    void theBrowserShowsEveryDigitPast2To53(@TempDir Path folder) throws Exception {
        long size = (1L << 60) + 1;

        String dom = render(
                folder,
                Pages.page(
                        "large",
                        2 * size,
                        2 * size - 1,
                        List.of(
                                Pages.value(0, 0, 2, 0, size, "low", "op"),
                                Pages.value(1, 1, 3, size, size, "high", "op"))));

        assertThat(dom)
                .contains(NO_FAULT)
                .contains("At most 2,305,843,009,213,693,954 bytes are live together")
                .contains("the arena is 1 byte (1 B, less than 0.01 %) larger")
                .contains("<td class=\"number\">1,152,921,504,606,846,977</td>");
    }

    private String render(Path folder, String page) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("page.html"), page);
        Path dom = folder.resolve("dom.html");
        Process browser = new ProcessBuilder(
                        BROWSER.orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox", // root has none; the page is our own
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
            assertThat(browser.waitFor(30, TimeUnit.SECONDS))
                    .as("the browser ended within 30 s")
                    .isTrue();
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
        return Files.readString(dom);
    }
}
