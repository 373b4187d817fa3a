package com.example.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Gives each executor its engine, and closes it when the executor ends, also when that is by a signal. A job names it
 * in {@code spark.plugins}; the properties {@code spark.devicearena.model}, {@code .provider} and {@code .precision}
 * say what is opened.
 */
public final class ArenaPlugin implements SparkPlugin {
    /** Made by Spark, by reflection. */
    public ArenaPlugin() {}

    @Override
    public DriverPlugin driverPlugin() {
        return null; // Spark's way to say that the driver needs none
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            private ExecutorEngine engine;

            @Override
            public void init(PluginContext context, Map<String, String> extra) {
                Map<String, String> properties = new HashMap<>();
                for (scala.Tuple2<String, String> pair : context.conf().getAll()) {
                    properties.put(pair._1(), pair._2());
                }
                engine = ExecutorEngine.start(EngineSettings.of(properties, context.resources()));
            }

            @Override
            public void shutdown() {
                if (engine != null) {
                    engine.close();
                }
            }
        };
    }
}
