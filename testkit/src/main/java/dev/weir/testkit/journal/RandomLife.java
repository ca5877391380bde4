package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.EndPoll;
import dev.weir.core.command.ReceiveEvent;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Decision;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The random life of one organisation. Its commands are decided in memory and written to a journal, whose rows must be
 * those that the moves lead to.
 */
final class RandomLife implements AutoCloseable {
    private static final int COMMANDS_PER_COMMIT = 4;

    /**
     * The head start of this life's clock. A life passes through hours in seconds, so its clock starts so far ahead
     * that the store's clock does not catch up.
     */
    private static final long CLOCK_HEAD_START = 3_600 * RandomCommands.SECOND;

    final String org;
    final List<Move> committedMoves = new ArrayList<>();
    final Set<Class<?>> commandTypes = new HashSet<>();
    private final Journal journal;
    private final Random random;
    private final RandomCommands commands;
    private final List<Move> pending = new ArrayList<>();
    private ShardOwnership ownership;
    private Organisation memory = new Organisation(this::plan);
    private long now;

    RandomLife(Journal journal, String org, long seed) {
        this.journal = journal;
        this.org = org;
        this.random = new Random(seed);
        this.commands = new RandomCommands(random, this::newestPlan, this::pastRun);
        this.ownership = takeShard();
        try (Transaction transaction = ownership.begin()) {
            now = transaction.now() + CLOCK_HEAD_START;
        }
        for (int index = 0; index < RandomDefinitions.DEFINITIONS.size(); index++) {
            handle(new RegisterWorkflow(RandomDefinitions.workflow(index, 1)));
        }
        commit();
    }

    private ShardOwnership takeShard() {
        return journal.take(journal.shardOf(org), "owner");
    }

    ShardOwnership ownership() {
        return ownership;
    }

    long now() {
        return now;
    }

    private @Nullable Plan plan(String workflow) {
        return memory.findWorkflow(workflow)
                .map(newest -> RandomDefinitions.plan(workflow, newest.version()))
                .orElse(null);
    }

    private Plan newestPlan(int index) {
        String name = RandomDefinitions.workflow(index, 1).name();
        commit();
        return ownership.plan(org, name, memory.findWorkflow(name).orElseThrow().version());
    }

    private Optional<PastRun> pastRun(String run) {
        commit();
        return ownership.findPastRun(org, run);
    }

    /** Runs some commands, followed by one commit. */
    void runBatch() {
        for (int i = random.nextInt(COMMANDS_PER_COMMIT); i >= 0; i--) {
            runCommand(commands.next(now));
            if (random.nextInt(6) == 0) {
                now += random.nextLong(15 * RandomCommands.SECOND);
                advance();
            }
        }
        commit();
    }

    /** Runs and commits the next command and everything that follows from it. */
    Command<?> runOne() {
        Command<?> next = commands.next(now);
        runCommand(next);
        commit();
        return next;
    }

    void repeat(Command<?> command) {
        runCommand(command instanceof ReceiveEvent event ? lookUp(event) : command);
        commit();
    }

    /** Returns an event with the fingerprint of the stored event with its id. */
    private ReceiveEvent lookUp(ReceiveEvent event) {
        return new ReceiveEvent(
                event.id(),
                event.name(),
                event.source(),
                event.payload(),
                event.correlationId(),
                event.sentBy(),
                ownership.findEvents(org, List.of(event.id(), "unknown")).get(event.id()));
    }

    private void runCommand(Command<?> command) {
        commandTypes.add(command.getClass());
        Object answer = handle(command);
        if (answer instanceof ClaimSteps.Answer.Claimed claimed) {
            commands.addAssignments(claimed.assignments());
        } else if (answer instanceof ClaimWork.Answer.Repeated again) {
            commands.addAssignments(again.assignments());
        }
        advance();
        if (command instanceof ClaimWork poll && !poll.modules().contains(RandomCommands.QUICK)) {
            handle(new EndPoll(poll.request()));
        }
    }

    private <A> A handle(Command<A> command) {
        Decision<A> decision = memory.handle(command, now);
        pending.addAll(decision.moves());
        return decision.answer();
    }

    private void advance() {
        var advance = memory.advance(now);
        pending.addAll(advance.moves());
        advance.answeredPolls()
                .forEach(served -> commands.addAssignments(List.<Assignment>copyOf(served.assignments())));
    }

    void commit() {
        if (pending.isEmpty()) {
            return;
        }
        List<Move> decided = List.copyOf(pending);
        @Nullable PreparedWrites prepared = random.nextBoolean() ? ownership.prepare(Map.of(org, decided)) : null;
        try (Transaction transaction = ownership.begin()) {
            if (prepared == null) {
                transaction.write(org, decided);
            } else {
                transaction.write(prepared);
            }
            transaction.commit();
        }
        committedMoves.addAll(pending);
        pending.clear();
    }

    /** The rows in the journal, without values of operators that have expired by this life's clock. */
    OrganisationRows loadedRows() {
        return ExpectedRows.withoutExpired(ownership.load(org), now);
    }

    /** The claimed units in memory. */
    List<ClaimedUnit> claimedUnits() {
        return memory.claimedUnits();
    }

    /** The rows that the journal must have. */
    OrganisationRows expectedRows() {
        return ExpectedRows.of(committedMoves, now);
    }

    void check() {
        requireSame(loadedRows(), expectedRows(), "loaded");
        ExpectedRows.checkStarts(ownership.load(org).starts(), committedMoves, now);
        handle(new EndPoll("nobody"));
        requireSame(memory.rows(), expectedRows(), "in memory");
    }

    /** Compares part by part, so that a difference is readable. */
    static void requireSame(OrganisationRows found, OrganisationRows expected, String where) {
        assertThat(found.runs()).as("runs %s", where).isEqualTo(expected.runs());
        assertThat(found.steps()).as("steps %s", where).isEqualTo(expected.steps());
        assertThat(found.claims()).as("claims %s", where).isEqualTo(expected.claims());
        assertThat(found.signals()).as("signals %s", where).isEqualTo(expected.signals());
        assertThat(found.endedRuns()).as("ended runs %s", where).isEqualTo(expected.endedRuns());
        assertThat(found).as("rows %s", where).isEqualTo(expected);
    }

    /** Simulates the death of the owner. Another one takes over and knows only the rows. */
    void restart() {
        ownership.close();
        ownership = takeShard();
        memory = Organisation.restore(ownership.load(org), this::plan, now);
        memory.startListening(now);
    }

    @Override
    public void close() {
        ownership.close();
    }
}
