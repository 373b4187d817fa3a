package io.devicearena.cli.input;

import io.devicearena.cli.message.InputException;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.validation.PlanValidator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several graphs that run one at a time in one arena and share parameters, constants and states by their ids.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param members each graph by its name, in the order of the files
 */
public record FamilyInput(Map<String, GraphInput> members) {
    /**
     * Reads graphs. Each has the name of its file, without the ending; the second of a name gets a number.
     *
     * @param files the graphs in JSON, 1 or more
     * @param sharesByOp whether the names of ops declare what may share a slot
     * @return the family
     * @throws InputException if a file is no graph
     * @throws IOException if reading fails
     */
    public static FamilyInput read(List<Path> files, boolean sharesByOp) throws IOException {
        Map<String, GraphInput> members = new LinkedHashMap<>();
        for (Path file : files) {
            GraphInput input = PlanInputReader.read(Optional.of(file), sharesByOp)
                    .graph()
                    .orElseThrow(
                            () -> new InputException(
                                    file.toString(),
                                    "expected a graph (.graph.json) beside other files, got a table of buffers; plan it by itself"));
            String name = String.valueOf(file.getFileName()).replaceFirst("(\\.graph)?\\.json$", "");
            String unique = name;
            for (int i = 2; members.containsKey(unique); i++) {
                unique = name + " " + i;
            }
            members.put(unique, input);
        }
        return new FamilyInput(members);
    }

    private Map<String, PlanGraph> graphs() {
        Map<String, PlanGraph> graphs = new LinkedHashMap<>();
        members.forEach((name, input) -> graphs.put(name, input.network()));
        return graphs;
    }

    /**
     * Plans all graphs together.
     *
     * @param options how to plan them
     * @return the plans
     * @throws InputException if a graph cannot be planned, or two disagree on a value; the message has the positions
     */
    public FamilyPlan plan(PlanOptions options) {
        try {
            return FamilyPlan.of(graphs(), options);
        } catch (InvalidGraphException e) {
            throw GraphErrorPositions.placed(
                    e,
                    members.values().stream()
                            .flatMap(input -> input.files().stream())
                            .toList());
        }
    }

    /**
     * Validates the plans of these graphs.
     *
     * @param family the plans
     * @throws InvalidPlanException if one is wrong
     */
    public void validate(FamilyPlan family) {
        PlanValidator.validate(family, graphs());
        family.members()
                .values()
                .forEach(member -> PlanValidator.validate(member.plan(), member.buffers(), family.options()));
    }
}
