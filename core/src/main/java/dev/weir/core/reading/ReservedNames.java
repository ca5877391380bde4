package dev.weir.core.reading;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Workflow;
import org.jspecify.annotations.Nullable;

/** Refuses the names that only Weir's own workflows have. Definitions that are already stored stay readable. */
final class ReservedNames {
    private static final String EXPECTED =
            "expected a name that does not begin with " + Action.Uses.BUILT_IN_PREFIX + ", which is reserved, found ";

    private ReservedNames() {}

    /** Checks the name of a workflow, and of the workflows that its steps invoke. */
    static void check(FieldReader root) {
        checkName(root, "/workflow", root.text("workflow"));
        for (FieldReader step : root.objects("steps")) {
            FieldReader invoke = step.object("invoke");
            if (invoke != null) {
                checkName(root, invoke.path() + "/workflow", invoke.text("workflow"));
            }
        }
    }

    private static void checkName(FieldReader root, String path, @Nullable String name) {
        if (name != null && Workflow.isReserved(name)) {
            root.problems().add(path, EXPECTED + "'" + name + "'");
        }
    }
}
