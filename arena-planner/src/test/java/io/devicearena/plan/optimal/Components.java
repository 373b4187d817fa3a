package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.List;

/** The components of problems, for tests of other packages. */
@SuppressWarnings("exports") // only tests compile against it
public final class Components {
    private Components() {}

    /** All components of a problem. */
    public static List<? extends Lifetimes> of(PlacementProblem problem) {
        return Component.of(problem);
    }

    /** The first component of a problem. */
    public static Lifetimes first(PlacementProblem problem) {
        return Component.of(problem).getFirst();
    }

    /** The bytes above the origin that every placement of a component needs. */
    public static long lowerBound(Lifetimes component) {
        Component whole = (Component) component;
        return whole.lowerBound() - whole.problem().origin();
    }

    /** The bytes of which the arenas of all placements of a component are multiples. */
    public static long sizeStep(Lifetimes component) {
        return ((Component) component).sizeStep();
    }
}
