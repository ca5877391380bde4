package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.EndPoll;
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
    private static final long AHEAD = 3_600 * RandomCommands.SECOND;

    final String org;
    final List<Move> kept = new ArrayList<>();
    final Set<Class<?>> seen = new HashSet<>();
    private final Journal journal;
    private final Random random;
    private final RandomCommands commands;
    private final List<Move> pending = new ArrayList<>();
    private ShardOwnership tenure;
    private Organisation memory = new Organisation(this::plan);
    private long now;

    RandomLife(Journal journal, String org, long seed) {
        this.journal = journal;
        this.org = org;
        this.random = new Random(seed);
        this.commands = new RandomCommands(random, this::newest, this::past);
        this.tenure = take();
        try (Transaction entry = tenure.begin()) {
            now = entry.now() + AHEAD;
        }
        for (int which = 0; which < RandomDefinitions.TEXTS.size(); which++) {
            handle(new RegisterWorkflow(RandomDefinitions.version(which, 1)));
        }
        commit();
    }

    private ShardOwnership take() {
        return journal.take(journal.shardOf(org), "owner");
    }

    ShardOwnership tenure() {
        return tenure;
    }

    long now() {
        return now;
    }

    private @Nullable Plan plan(String workflow) {
        return memory.findWorkflow(workflow)
                .map(newest -> RandomDefinitions.plan(workflow, newest.version()))
                .orElse(null);
    }

    private Plan newest(int which) {
        String name = RandomDefinitions.version(which, 1).name();
        commit();
        return tenure.plan(org, name, memory.findWorkflow(name).orElseThrow().version());
    }

    private Optional<PastRun> past(String run) {
        commit();
        return tenure.past(org, run);
    }

    /** Runs some commands, followed by one commit. */
    void something() {
        for (int i = random.nextInt(COMMANDS_PER_COMMIT); i >= 0; i--) {
            command(commands.next(now));
            if (random.nextInt(6) == 0) {
                now += random.nextLong(15 * RandomCommands.SECOND);
                advance();
            }
        }
        commit();
    }

    /** Runs and commits the next command and everything that follows from it. */
    Command<?> one() {
        Command<?> next = commands.next(now);
        command(next);
        commit();
        return next;
    }

    void again(Command<?> command) {
        command(command);
        commit();
    }

    private void command(Command<?> command) {
        seen.add(command.getClass());
        Object answer = handle(command);
        if (answer instanceof ClaimSteps.Answer.Claimed claimed) {
            commands.given(claimed.assignments());
        } else if (answer instanceof ClaimWork.Answer.Again again) {
            commands.given(again.assignments());
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
        advance.served().forEach(served -> commands.given(List.<Assignment>copyOf(served.assignments())));
    }

    void commit() {
        if (pending.isEmpty()) {
            return;
        }
        List<Move> decided = List.copyOf(pending);
        @Nullable PreparedWrites ahead = random.nextBoolean() ? tenure.draft(Map.of(org, decided)) : null;
        try (Transaction entry = tenure.begin()) {
            if (ahead == null) {
                entry.write(org, decided);
            } else {
                entry.write(ahead);
            }
            entry.commit();
        }
        kept.addAll(pending);
        pending.clear();
    }

    /** The rows in the journal, without values of operators that have expired by this life's clock. */
    OrganisationRows loaded() {
        return ExpectedRows.withoutExpired(tenure.load(org), now);
    }

    /** The claimed units in memory. */
    List<ClaimedUnit> claimed() {
        return memory.claimed();
    }

    /** The rows that the journal must have. */
    OrganisationRows expected() {
        return ExpectedRows.of(kept, now);
    }

    void check() {
        requireSame(loaded(), expected(), "loaded");
        ExpectedRows.checkStarts(tenure.load(org).starts(), kept, now);
        handle(new EndPoll("nobody"));
        requireSame(memory.rows(), expected(), "in memory");
    }

    /** Compares part by part, so that a difference is readable. */
    static void requireSame(OrganisationRows found, OrganisationRows expected, String where) {
        assertThat(found.runs()).as("runs %s", where).isEqualTo(expected.runs());
        assertThat(found.steps()).as("steps %s", where).isEqualTo(expected.steps());
        assertThat(found.claims()).as("claims %s", where).isEqualTo(expected.claims());
        assertThat(found.signals()).as("signals %s", where).isEqualTo(expected.signals());
        assertThat(found.ended()).as("ended runs %s", where).isEqualTo(expected.ended());
        assertThat(found).as("rows %s", where).isEqualTo(expected);
    }

    /** Simulates the death of the owner. Another one takes over and knows only the rows. */
    void restart() {
        tenure.close();
        tenure = take();
        memory = Organisation.restore(tenure.load(org), this::plan, now);
        memory.heardFrom(now);
    }

    @Override
    public void close() {
        tenure.close();
    }
}
