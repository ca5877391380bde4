package dev.weir.engine.records;

import dev.weir.core.life.Makespan;
import dev.weir.engine.log.Logs;
import java.util.List;
import java.util.Optional;

/** Reads runs, steps and workflows of an organisation, living or ended; sees all that was answered. Safe for many threads. */
public interface Records {
    /** Entries on one page at the most. */
    int PAGE_MAX = 200;
    /** How many starts that were refused are kept for an organisation: the newest. */
    int REFUSED_STARTS_MAX = 1_000;

    /** Runs that are looked at for one page at the most, however few of them fit the filter. */
    int LOOKED_AT_MAX = 5_000;

    Optional<RunRecord> findRun(String org, String run);

    /** Runs, newest first, without their input. A page may be short, or empty, and still be followed by another one. */
    Page<RunRecord> runs(String org, RunFilter filter, PageRequest page);

    /** The steps of a run in the order of its definition, without items; steps that are still blocked too. */
    List<StepRecord> steps(String org, String run);

    /** A step, or an item of one. */
    Optional<StepRecord> findStep(String org, dev.weir.core.life.UnitId unit);

    /** The items of a step, by index. */
    Page<StepRecord> items(String org, String run, String step, PageRequest page);

    /** The item of a step that has ended last. */
    Optional<StepRecord> lastItem(String org, String run, String step);

    /** Where the time of a run that has ended went. */
    default Optional<Makespan> makespan(String org, String run) {
        return findRun(org, run).flatMap(found -> Makespans.of(this, org, found));
    }

    /** The newest version of each workflow, by name, without its definition. */
    Page<WorkflowRecord> workflows(String org, PageRequest page);

    /** A version of a workflow; absent = the newest. */
    Optional<WorkflowRecord> findWorkflow(String org, String name, @org.jspecify.annotations.Nullable Integer version);

    /** Starts that programs have left in their own transactions and that could not be carried out, newest first. */
    Page<RefusedStart> refusedStarts(String org, PageRequest page);

    /** What tries have said. */
    Logs logs();
}
