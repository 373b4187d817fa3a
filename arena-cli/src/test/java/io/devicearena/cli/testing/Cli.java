package io.devicearena.cli.testing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.devicearena.cli.ArenaCli;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/** Runs the command line in the process of the test and captures its output. */
public final class Cli {
    private Cli() {}

    public record Result(int exitCode, String out, String err) {
        /** The scalars of the JSON document, by key. */
        public Map<String, String> json() throws IOException {
            Map<String, String> values = new LinkedHashMap<>();
            try (JsonParser json = new JsonFactory().createParser(out)) {
                String key = "";
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    if (token == JsonToken.FIELD_NAME) {
                        key = json.currentName();
                    } else if (token.isScalarValue()) {
                        values.put(key, json.getText());
                    }
                }
            }
            return values;
        }
    }

    public static Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                ArenaCli.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = command.execute(args);
        return new Result(exitCode, out.toString(), err.toString());
    }
}
