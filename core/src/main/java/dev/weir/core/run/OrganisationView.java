package dev.weir.core.run;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitDirectory;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.admission.ModuleDirectory;
import dev.weir.core.admission.Ticket;
import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.SecretRow;
import dev.weir.core.state.StopRows;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Shows parts of an organisation's live state as records, for queries that explain it. It changes nothing. */
public final class OrganisationView {
    private final LiveOrganisation org;

    OrganisationView(LiveOrganisation org) {
        this.org = org;
    }

    /** Returns the progress of a fan-out; empty if the step has no items, or has not begun. */
    public Optional<ItemProgress> findItems(UnitId step) {
        return org.find(step) instanceof RunStep found && found.items != null
                ? Optional.of(found.items.progress())
                : Optional.empty();
    }

    /** Returns the item of a step that starts next if a short search finds it; otherwise the given id. */
    public UnitId nextUnit(UnitId unit) {
        return org.find(unit) instanceof RunStep step ? step.nextUnit().id() : unit;
    }

    /** Returns the secrets, without values. */
    public List<SecretRow> secrets() {
        return List.copyOf(org.secrets.all().values());
    }

    /** Returns what must not start. */
    public StopRows stops() {
        return org.stops.rows();
    }

    /** True if a step or item waits for its limits. */
    public boolean isQueued(UnitId unit) {
        Unit found = org.find(unit);
        return found != null && found.ticket != null;
    }

    /** True if a run waits for the run limits. */
    public boolean isQueued(String run) {
        Run found = org.runs.find(run);
        return found != null && found.ticket != null;
    }

    /** Finds a shared limit that is in use or has an operator's setting. */
    public Optional<LimitSnapshot> findLimit(LimitId.Shared limit, long now) {
        return org.admission.findLimit(limit, now);
    }

    /**
     * A step or run that a limit refuses.
     *
     * @param expected the time at which the limit admits it; null if that cannot be told
     */
    public record WaitingOwner(TicketOwner owner, Explanation.@Nullable Expected expected) {}

    /** Returns the steps and runs that a limit refuses, oldest first, and when the turn of each comes. */
    public List<WaitingOwner> waitlist(LimitId.Shared limit, int max, long now) {
        List<Ticket> tickets = org.admission.waitlist(limit, max, now);
        List<WaitingOwner> waitlist = new ArrayList<>(tickets.size());
        for (Ticket ticket : tickets) {
            waitlist.add(new WaitingOwner(
                    TicketOwner.of(ticket.subject(), ticket.since()),
                    limits().expectedTurn(limit, ticket, waitlist.size() + 1, now)));
        }
        return waitlist;
    }

    /** Returns the reason why starts of a workflow are refused now: a suspension, or its archive. */
    public Optional<String> findStartRefusal(String workflow) {
        return org.stops.findStartRefusal(workflow);
    }

    /** Explains why a run with these needs would not start now; without reasons if it would. */
    public Explanation explainStart(LimitNeeds needs, long now) {
        return org.startRules.explainStart(needs, now);
    }

    /** Finds the limit whose ceiling on waiting runs would refuse a run with these needs. */
    public Optional<FullQueue> findFullQueue(LimitNeeds needs, long now) {
        return org.startRules.findFullQueue(needs, now);
    }

    /** Returns the longest chain of runs and events in force for a workflow. */
    public int maxCascadeDepth(Workflow workflow, long now) {
        return org.startRules.maxCascadeDepth(workflow, now);
    }

    /** Returns the operators' values for a limit on runs. */
    public RunLimitConfig runLimits(LimitId.Runs limit) {
        return org.operatorSettings.findRunLimits(limit);
    }

    /** Returns the run keys of a workflow for which an operator has set values, after the given one, in order. */
    public List<String> configuredRunKeys(String workflow, String after, int max) {
        return org.operatorSettings.runLimits.tailMap(new LimitId.RunKey(workflow, after)).keySet().stream()
                .takeWhile(limit ->
                        limit instanceof LimitId.RunKey key && key.workflow().equals(workflow))
                .map(limit -> ((LimitId.RunKey) limit).key())
                .filter(key -> !key.equals(after))
                .limit(max)
                .toList();
    }

    /** Finds how a dead letter was closed a short time ago, perhaps not yet in the rows. */
    public Optional<DeadLetterControl.Closed> findClosedDeadLetter(long number) {
        return Optional.ofNullable(org.deadLetters.findClosed(number));
    }

    /** Copies the unfinished work, for predictions. */
    public BacklogReader backlog() {
        return new BacklogReader(org);
    }

    /** The next time at which something can start or continue if no command comes. Housekeeping does not count. */
    public long nextWorkAt(long now) {
        return org.nextWorkAt(now);
    }

    public LimitDirectory limits() {
        return org.admission.directory();
    }

    public ModuleDirectory modules() {
        return org.admission.moduleDirectory();
    }

    public WorkerTable workers() {
        return org.workers;
    }

    /** Returns the defaults that workers registered for modules, by module. */
    public SortedMap<String, ConcurrencyProfile> moduleDefaults() {
        return Collections.unmodifiableSortedMap(org.moduleDefaults.all());
    }

    /** Finds the end of an operator's pause of a limit. */
    public Optional<Long> findPause(LimitId.Shared limit, long now) {
        return Optional.ofNullable(org.operatorSettings.pauses.get(limit)).filter(until -> until > now);
    }

    /** Finds the hold that a called service asked for. */
    public Optional<RetryAfterHold> findRetryAfter(LimitId.Shared limit, long now) {
        return Optional.ofNullable(org.operatorSettings.holds.get(limit)).filter(hold -> hold.until() > now);
    }

    /** Returns the schedules after the given one, by workflow and trigger. */
    public List<ScheduleStatus> schedules(TriggerId after, int max) {
        return org.schedules.statuses(after, max);
    }

    /** The API tokens that are not revoked, by name, after the given name. */
    public List<TokenRow> tokens(String after, int max) {
        return org.tokens.all().tailMap(after + '\0').values().stream()
                .limit(max)
                .toList();
    }
}
