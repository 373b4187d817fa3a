package io.devicearena.cli.trace;

import io.devicearena.NodeId;
import io.devicearena.cli.input.PlannedInput;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * A run as a timeline, from its flight recording: calls, waits and submissions on a track for each thread by the clock
 * of the host, and the steps of kernel programs on a track by the clock of the device. The plan of the run is in the
 * same document.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class RunTrace {
    private static final int HOST = 2;
    private static final int DEVICE = 3;
    private static final String OURS = "io.devicearena.";
    private static final String RUN = OURS + "ProgramRun";
    private static final String STEP = OURS + "KernelStep";
    private static final String VALUE = OURS + "ReplayStep";

    /** What the JDK records that explains gaps between calls. */
    private static final Set<String> WAITS = Set.of("jdk.ThreadPark", "jdk.GarbageCollection");

    private static final Set<String> HIDDEN = Set.of("startTime", "duration", "eventThread", "stackTrace");

    private final TraceDocument document;
    private final Instant begin;
    private final Optional<PlannedInput> plan;
    /** When each step of the schedule began. */
    private final NavigableMap<Long, Double> steps = new TreeMap<>();

    private double lastStepEnd;
    private final Set<Long> named = new HashSet<>();
    /** For each thread, where the next step of its last run begins on the track of the device. */
    private final Map<Long, Double> nextStep = new HashMap<>();

    private RunTrace(TraceDocument document, Instant begin, Optional<PlannedInput> plan) {
        this.document = document;
        this.begin = begin;
        this.plan = plan;
    }

    /**
     * Reads a recording.
     *
     * @param recording the file of the recording
     * @return its events that are in a timeline, by time
     * @throws IOException if the file cannot be read, or is no recording
     */
    public static List<RecordedEvent> read(Path recording) throws IOException {
        List<RecordedEvent> events = new ArrayList<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                String type = event.getEventType().getName();
                if (type.startsWith(OURS) || WAITS.contains(type)) {
                    events.add(event);
                }
            }
        }
        events.sort(Comparator.comparing(RecordedEvent::getStartTime));
        return events;
    }

    /**
     * Writes a timeline; times count from the first event.
     *
     * @param events the events of a recording, by time
     * @param plan the plan of the run, if it is known
     * @param target where it is written
     * @throws IOException if writing fails
     * @throws IllegalArgumentException if an event has other fields than its name promises
     */
    public static void write(List<RecordedEvent> events, Optional<PlannedInput> plan, Writer target)
            throws IOException {
        try (TraceDocument document = new TraceDocument(target)) {
            if (!events.isEmpty()) {
                new RunTrace(document, events.getFirst().getStartTime(), plan).write(events);
            }
        }
    }

    private void write(List<RecordedEvent> events) throws IOException {
        document.process(HOST, "host");
        for (RecordedEvent event : events) {
            long track = track(event.getThread());
            double start = micros(Duration.between(begin, event.getStartTime()));
            double duration = micros(event.getDuration());
            switch (event.getEventType().getName()) {
                case RUN -> run(event, track, start, duration);
                case STEP -> step(event, track, start);
                case VALUE -> value(event, track, start, duration);
                default -> document.slice(HOST, track, label(event), start, duration, facts(event));
            }
        }
        if (plan.isPresent() && !steps.isEmpty()) {
            new PlanTrace(plan.get()).write(document, "by the clock of the host", this::begin);
        }
    }

    /** When a step began: with the last step before it, if nothing was written at it. */
    private double begin(long step) {
        Map.Entry<Long, Double> last = steps.floorEntry(step);
        return step > steps.lastKey()
                ? lastStepEnd
                : last == null ? steps.firstEntry().getValue() : last.getValue();
    }

    /** A value that the replay wrote or verified, which shows when its step was. */
    private void value(RecordedEvent event, long track, double start, double duration) throws IOException {
        String name = plan.map(known -> " " + known.name(NodeId.of(event.getLong("value"))))
                .orElse("");
        document.slice(HOST, track, event.getString("operation") + name, start, duration, facts(event));
        steps.putIfAbsent(event.getLong("step"), start);
        lastStepEnd = start + duration;
    }

    /** A run, and in it the wait for the device, which ends with it. */
    private void run(RecordedEvent event, long track, double start, double duration) throws IOException {
        document.slice(HOST, track, label(event), start, duration, facts(event));
        double waiting = Math.min(duration, micros(event.getDuration("waitingTime")));
        if (waiting > 0) {
            document.slice(HOST, track, "wait for the device", start + duration - waiting, waiting, Map.of());
        }
        nextStep.put(track, start);
    }

    /** A step: only how long it took is known, so those of a run follow each other from the start of the run. */
    private void step(RecordedEvent event, long track, double reported) throws IOException {
        if (named.add((long) -DEVICE)) {
            document.process(DEVICE, "device, by its own clock; the steps of a run begin with it");
        }
        double start = nextStep.getOrDefault(track, reported);
        double duration = micros(event.getDuration("deviceTime"));
        document.slice(
                DEVICE,
                track,
                event.getString("step").isEmpty() ? event.getString("kernel") : event.getString("step"),
                start,
                duration,
                facts(event));
        nextStep.put(track, start + duration);
    }

    private long track(@Nullable RecordedThread thread) throws IOException {
        // tracks of threads begin after the numbers of processes
        long track = thread == null ? DEVICE + 1 : DEVICE + 1 + Math.max(0, thread.getId());
        if (named.add(track)) {
            String name = thread == null ? null : thread.getJavaName();
            document.track(HOST, track, name == null ? "virtual machine" : name);
        }
        return track;
    }

    private static String label(RecordedEvent event) {
        String label = event.getEventType().getLabel();
        return label == null ? event.getEventType().getName() : label;
    }

    private static Map<String, Object> facts(RecordedEvent event) {
        Map<String, Object> facts = new LinkedHashMap<>();
        for (ValueDescriptor field : event.getFields()) {
            Object value = HIDDEN.contains(field.getName()) ? null : event.getValue(field.getName());
            if (value instanceof String
                    || value instanceof Integer
                    || value instanceof Long
                    || value instanceof Boolean) {
                facts.put(field.getName(), value);
            }
        }
        return facts;
    }

    private static double micros(Duration time) {
        return time.toNanos() / 1e3;
    }
}
