package dev.weir.engine.records;

import dev.weir.core.explain.CriticalPath;
import dev.weir.engine.log.LogStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads runs, steps and workflows of an organisation, unfinished or ended. A read sees everything that was answered
 * before it. Safe for use by many threads.
 */
public interface Records {
    /** The largest number of entries on one page. */
    int PAGE_MAX = 200;
    /** The number of refused starts that are kept per organisation, the newest ones. */
    int REFUSED_STARTS_MAX = 1_000;

    /** The number of runs that are examined for one page, however few of them match the filter. */
    int RUNS_EXAMINED_MAX = 5_000;

    /** The number of attempts that are examined for one page of logs, whatever key they have. */
    int LOGS_EXAMINED_MAX = 1_000;

    Optional<RunRecord> findRun(String org, String run);

    /** Runs, newest first, without their input. A page may be short or empty, and still be followed by another one. */
    RecordPage<RunRecord> runs(String org, RunFilter filter, PageRequest page);

    /** The steps of a run in the order of its definition, without items, including steps that are still blocked. */
    List<StepRecord> steps(String org, String run);

    /** A step, or an item of one. */
    Optional<StepRecord> findStep(String org, dev.weir.core.state.UnitId unit);

    /** The items of a step, by index. */
    RecordPage<StepRecord> items(String org, String run, String step, PageRequest page);

    /** The item of a step that ended last. */
    Optional<StepRecord> lastItem(String org, String run, String step);

    /** The critical path of an ended run, which shows where its time went. */
    default Optional<CriticalPath> criticalPath(String org, String run) {
        return findRun(org, run).flatMap(found -> CriticalPathReader.of(this, org, found));
    }

    /** The newest version of each workflow, by name, without its definition. */
    RecordPage<WorkflowRecord> workflows(String org, PageRequest page);

    /** A version of a workflow; absent = the newest. */
    Optional<WorkflowRecord> findWorkflow(String org, String name, @org.jspecify.annotations.Nullable Integer version);

    /** Refused starts that programs had left in the inbox, newest first. */
    default RecordPage<RefusedStart> refusedStarts(String org, PageRequest page) {
        var letters = deadLetters().deadLetters(org, DeadLetterFilter.REFUSED_STARTS, page);
        return new RecordPage<>(letters.entries().stream().map(RefusedStart::of).toList(), letters.next());
    }

    /** True if a run has, or had, a step or item under a flow-control key. False if there is no such run. */
    boolean hasKey(String org, String run, String key);

    /**
     * The attempts that have logged something, of steps and items under a flow-control key, newest run first. A page
     * may be short or empty, and still be followed by another one.
     */
    RecordPage<LoggedAttempt> loggedAttempts(String org, String key, PageRequest page);

    /** The operations on many runs. */
    BulkStore bulk();

    DeadLetterStore deadLetters();

    NoticeStore notices();

    /** The logs of attempts. */
    LogStore logs();

    /** The totals, quotas and readers of organisations. */
    AccountStore accounts();

    /** The events. */
    EventStore events();

    /** The audit chains. */
    AuditStore audit();

    /** The times at which API tokens of an organisation were last used, by name, to about a minute. */
    Map<String, Instant> lastTokenUses(String org);

    /** The time for which ended runs are kept at least; absent = for ever. */
    default Optional<Duration> retention() {
        return Optional.empty();
    }
}
