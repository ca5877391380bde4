package dev.weir.core.state;

import dev.weir.core.limit.LimitStart;
import dev.weir.core.plan.ConcurrencyProfile;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything of an organisation that must survive a restart, in an order that does not depend on its source.
 *
 * @param runs the live runs
 * @param steps their steps and items, except steps that are still blocked
 * @param claims the live claims
 * @param signals the signals that were sent before a step waited for them, by run, oldest first
 * @param starts the starts that still count against rates, oldest first. Memory does not keep them one by one:
 *     they are in the moves, and a journal keeps them
 * @param operators what operators set for shared limits
 * @param profiles the concurrency profiles of modules, by module
 * @param workflows the newest version of each workflow, by name
 * @param endedRuns the runs that ended last
 * @param nextRunNumber the number of the next run
 * @param highestFence the highest fence ever granted; 0 if none was
 * @param listeningSpans the times when workers could be heard, as far as they were noted
 * @param access the tokens, and the end of the audit
 * @param events the events that are under way, and the progress of schedules
 * @param attention the dead letters
 */
public record OrganisationRows(
        List<RunRow> runs,
        List<StepRow> steps,
        List<Claim> claims,
        List<Signal> signals,
        List<LimitStart> starts,
        OperatorRows operators,
        SortedMap<String, ConcurrencyProfile> profiles,
        SortedMap<String, WorkflowVersion> workflows,
        List<EndedRun> endedRuns,
        long nextRunNumber,
        long highestFence,
        List<ListeningSpan> listeningSpans,
        AccessRows access,
        EventRows events,
        AttentionRows attention) {
    public static final OrganisationRows NONE = new OrganisationRows(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            OperatorRows.NONE,
            new TreeMap<>(),
            new TreeMap<>(),
            List.of(),
            1,
            0,
            List.of(),
            AccessRows.NONE,
            EventRows.NONE,
            AttentionRows.NONE);

    public OrganisationRows {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
        claims = List.copyOf(claims);
        signals = List.copyOf(signals);
        starts = List.copyOf(starts);
        profiles = Collections.unmodifiableSortedMap(new TreeMap<>(profiles));
        workflows = Collections.unmodifiableSortedMap(new TreeMap<>(workflows));
        endedRuns = List.copyOf(endedRuns);
        listeningSpans = List.copyOf(listeningSpans);
    }

    public OrganisationRows withStarts(List<LimitStart> newStarts) {
        return new OrganisationRows(
                runs,
                steps,
                claims,
                signals,
                newStarts,
                operators,
                profiles,
                workflows,
                endedRuns,
                nextRunNumber,
                highestFence,
                listeningSpans,
                access,
                events,
                attention);
    }

    /** Returns a copy without ended runs, as if they had ended too long ago to be remembered. */
    public OrganisationRows withoutEndedRuns() {
        return new OrganisationRows(
                runs,
                steps,
                claims,
                signals,
                starts,
                operators,
                profiles,
                workflows,
                List.of(),
                nextRunNumber,
                highestFence,
                listeningSpans,
                access,
                events,
                attention);
    }
}
