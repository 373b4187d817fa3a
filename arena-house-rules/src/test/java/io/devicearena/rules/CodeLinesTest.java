package io.devicearena.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How lines of code are counted, and that each module has at most its budget. */
class CodeLinesTest {
    @Test
    void blankLinesAndComments_areNotCounted() {
        assertThat(CodeLines.of("""
                package a;

                import b.C; // 2

                /**
                 * A {@code class}.
                 */
                class A { /* one */ /*
                    two */
                    // int no;
                    int i; /* three
                    */ int j;
                }
                """)).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "String s = \"// no comment\";~int i;|2",
                "String s = \"/*\";~int i;~String t = \"*/\";|3",
                "String s = \"\\\"/*\";~int i; // \"~|2",
                "char c = '\"'; // one~char d = '\\''; /* \"~*/~char e = '/';|3",
                "int i = 8 / 2; // 'it is'~/* \" */~int j;|2",
            })
    void literals_thatLookLikeComments_areCode(String source, int lines) {
        assertThat(CodeLines.of(source.replace('~', '\n'))).isEqualTo(lines);
    }

    @Test
    void textBlocks_countWithoutTheirBlankLines() {
        assertThat(CodeLines.of("""
                String s = \"""
                    // no comment "quoted" /* no comment

                    \\\""" not the end
                    \"""; // a comment
                int i;
                """)).isEqualTo(5);
    }

    @Test
    void modules_theirCode_isWithinTheirBudgets() {
        assertThat(Layers.overBudget(CodeLines.ofModules())).isEmpty();
    }

    @Test
    void fault_namesModuleCountAndBudget() {
        String module = "arena-cpu";
        int budget = requireNonNull(Layers.budgets().get(module), module);
        Map<String, Integer> lines = CodeLines.ofModules();
        lines.put(module, budget + 1);
        lines.remove("arena-api");
        lines.put("arena-new", 1);

        assertThat(Layers.overBudget(lines))
                .isEqualTo(List.of(
                        "arena-api: expected a module with main sources, got none; remove its line from Layers",
                        "arena-cpu: expected at most " + budget + " lines of code, got " + (budget + 1)
                                + "; remove some, or raise the budget in Layers. A commit that raises a budget says why in its"
                                + " body; one that lowers it needs no reason",
                        "arena-new: expected a budget in Layers, got none"));
    }
}
