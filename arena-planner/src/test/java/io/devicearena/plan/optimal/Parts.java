package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.List;

/** The parts of problems, for tests of other packages. */
@SuppressWarnings("exports") // nobody outside compiles against it
public final class Parts {
    private Parts() {}

    /** All parts of a problem. */
    public static List<? extends Lifetimes> of(PlacementProblem problem) {
        return Part.of(problem);
    }

    /** The first part of a problem. */
    public static Lifetimes first(PlacementProblem problem) {
        return Part.of(problem).getFirst();
    }

    /** What every placement of a part needs, in bytes above the origin. */
    public static long lowerBound(Lifetimes part) {
        Part whole = (Part) part;
        return whole.lowerBound() - whole.problem().origin();
    }

    /** What all heights of placements of a part are multiples of, in bytes. */
    public static long grain(Lifetimes part) {
        return ((Part) part).grain();
    }
}
