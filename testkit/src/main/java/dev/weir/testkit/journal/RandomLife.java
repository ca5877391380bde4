package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimSteps;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.ClaimedUnit;
import dev.weir.core.life.Command;
import dev.weir.core.life.Decision;
import dev.weir.core.life.EndPoll;
import dev.weir.core.life.Ledger;
import dev.weir.core.life.Move;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.Plan;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.life.Rows;
import dev.weir.engine.journal.Draft;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.Tenure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One random life of one organisation: it is decided in memory, kept in a journal, and kept beside it in a ledger that
 * the journal must agree with.
 */
final class RandomLife implements AutoCloseable {
    private static final int COMMANDS_PER_COMMIT = 4;

    /** A life goes through hours in seconds: its time begins where that of the store will not come meanwhile. */
    private static final long AHEAD = 3_600 * RandomCommands.SECOND;

    final String org;
    final Ledger ledger = new Ledger();
    final List<Move> kept = new ArrayList<>();
    final Set<Class<?>> seen = new HashSet<>();
    private final Journal journal;
    private final Random random;
    private final RandomCommands commands;
    private final List<Move> pending = new ArrayList<>();
    private Tenure tenure;
    private Organisation memory = new Organisation(this::plan);
    private long now;

    RandomLife(Journal journal, String org, long seed) {
        this.journal = journal;
        this.org = org;
        this.random = new Random(seed);
        this.commands = new RandomCommands(random, this::newest, this::past);
        this.tenure = take();
        try (Entry entry = tenure.begin()) {
            now = entry.now() + AHEAD;
        }
        for (int which = 0; which < Definitions.TEXTS.size(); which++) {
            handle(new RegisterWorkflow(Definitions.version(which, 1)));
        }
        commit();
    }

    private Tenure take() {
        return journal.take(journal.shardOf(org), "owner");
    }

    Tenure tenure() {
        return tenure;
    }

    long now() {
        return now;
    }

    private @Nullable Plan plan(String workflow) {
        return memory.findWorkflow(workflow)
                .map(newest -> Definitions.plan(workflow, newest.version()))
                .orElse(null);
    }

    private Plan newest(int which) {
        String name = Definitions.version(which, 1).name();
        commit();
        return tenure.plan(org, name, memory.findWorkflow(name).orElseThrow().version());
    }

    private Optional<PastRun> past(String run) {
        commit();
        return tenure.past(org, run);
    }

    /** Some commands, and one commit. */
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

    /** The next command, with all that it makes possible, committed. */
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
        @Nullable Draft ahead = random.nextBoolean() ? tenure.draft(Map.of(org, decided)) : null;
        try (Entry entry = tenure.begin()) {
            if (ahead == null) {
                entry.write(org, decided);
            } else {
                entry.write(ahead);
            }
            entry.commit();
        }
        ledger.apply(pending);
        kept.addAll(pending);
        pending.clear();
    }

    /** What the journal has, as it is now. */
    Rows loaded() {
        return asOfNow(tenure.load(org));
    }

    /** What is claimed, as memory has it. */
    List<ClaimedUnit> claimed() {
        return memory.claimed();
    }

    /** What it must have. */
    Rows expected() {
        return ledger.rows(now);
    }

    /** What operators have set for a time ends at this life's time. */
    private Rows asOfNow(Rows rows) {
        return Ledger.of(rows).rows(now);
    }

    void check() {
        requireSame(loaded(), expected(), "loaded");
        handle(new EndPoll("nobody"));
        requireSame(memory.rows(), expected().withStarts(List.of()), "in memory");
    }

    /** Part by part, so that what differs can be read. */
    static void requireSame(Rows found, Rows expected, String where) {
        assertThat(found.runs()).as("runs %s", where).isEqualTo(expected.runs());
        assertThat(found.steps()).as("steps %s", where).isEqualTo(expected.steps());
        assertThat(found.claims()).as("claims %s", where).isEqualTo(expected.claims());
        assertThat(found.signals()).as("signals %s", where).isEqualTo(expected.signals());
        assertThat(found.starts()).as("starts %s", where).isEqualTo(expected.starts());
        assertThat(found.ended()).as("ended runs %s", where).isEqualTo(expected.ended());
        assertThat(found).as("rows %s", where).isEqualTo(expected);
    }

    /** The owner dies; another takes over, and knows nothing but the rows. */
    void restart() {
        tenure.close();
        tenure = take();
        memory = Organisation.restore(tenure.load(org), this::plan, now);
    }

    @Override
    public void close() {
        tenure.close();
    }
}
