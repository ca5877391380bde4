package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.Command;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.StartRun;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Claim;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRow;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.engine.journal.Transaction;
import dev.weir.engine.records.Records;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** The promises of every journal, whatever store it uses. */
public abstract class JournalContract {
    private static final int SEEDS = 10;
    private static final int COMMITS = 40;
    private static final int REPEATED_COMMANDS = 40;
    /** The largest number of open units in a slice: so few that runs are left for the next slice, or cut. */
    private static final int SLICE_UNITS = 3;

    /** The journal under test. */
    protected abstract Journal journal();

    /** The records of the same store. */
    protected abstract Records records();

    /** Creates a new organisation and returns its name. */
    protected abstract String newOrganisation();

    static Stream<Long> seeds() {
        return Stream.iterate(1L, seed -> seed + 1).limit(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void loaded_rows_equal_the_applied_moves_after_every_few_commits(long seed) {
        try (var life = new RandomLife(journal(), newOrganisation(), seed)) {
            for (int i = 0; i < COMMITS; i++) {
                life.runBatch();
                if (i % 6 == 0) {
                    life.check();
                }
                if (i % 20 == 19) {
                    life.restart();
                }
            }
            life.check();
            var records = new RecordsCheck(life, records());
            records.checkAll();
            records.checkPast(life.ownership());
            checkSweep(life);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_command_that_is_sent_twice_gives_the_same_rows_also_to_a_new_owner(long seed) {
        try (var life = new RandomLife(journal(), newOrganisation(), seed + 1_000)) {
            for (int i = 0; i < REPEATED_COMMANDS; i++) {
                Command<?> command = life.runOne();
                if (command instanceof SendSignal signal && signal.id() == null) {
                    // Two signals without ids are two signals: nothing distinguishes a repeated one from a new one.
                    continue;
                }
                OrganisationRows once = life.loadedRows();
                if (i % 4 == 0) {
                    life.restart();
                }
                life.repeat(command);
                RandomLife.requireSame(
                        life.loadedRows(),
                        ExpectedRows.withoutExpired(once, life.now()),
                        "after a repeated " + command);
            }
            life.check();
        }
    }

    private static long runNumber(OrganisationRows rows, Claim claim) {
        return rows.runs().stream()
                .filter(run -> run.id().equals(claim.unit().run()))
                .findFirst()
                .orElseThrow()
                .number();
    }

    private static void checkSweep(RandomLife life) {
        OrganisationRows rows = life.expectedRows();
        List<ClaimSummary> claims = rows.claims().stream()
                .map(claim -> new ClaimSummary(claim.unit(), claim.fence(), claim.until()))
                .toList();
        List<ClaimedUnit> claimed = life.claimedUnits();
        assertThat(life.ownership().claims(life.org, 0, claimed)).containsExactlyInAnyOrderElementsOf(claims);
        for (RunRow run : rows.runs()) {
            List<ClaimedUnit> later = claimed.stream()
                    .filter(each -> each.run().number() >= run.number())
                    .toList();
            assertThat(life.ownership().claims(life.org, run.number(), later)).hasSize((int) rows.claims().stream()
                    .filter(claim -> runNumber(rows, claim) >= run.number())
                    .count());
        }
        List<SweepSlice.RunSummary> runs = new ArrayList<>();
        List<SweepSlice.StepSummary> steps = new ArrayList<>();
        SweepSlice slice = life.ownership().slice(life.org, 0, 2, SLICE_UNITS);
        runs.addAll(slice.runs());
        steps.addAll(slice.steps());
        while (slice.hasMore()) {
            slice = life.ownership().slice(life.org, slice.lastRun(), 2, SLICE_UNITS);
            runs.addAll(slice.runs());
            steps.addAll(slice.steps());
        }
        assertThat(runs)
                .isEqualTo(rows.runs().stream()
                        .map(run -> new SweepSlice.RunSummary(run.id(), run.number(), run.state()))
                        .toList());
        assertThat(steps)
                .containsExactlyElementsOf(rows.runs().stream()
                        .flatMap(run -> rows.steps().stream()
                                .filter(step -> step.id().run().equals(run.id())
                                        && !step.state().ended())
                                .limit(SLICE_UNITS))
                        .map(step -> new SweepSlice.StepSummary(step.id(), step.state(), step.fence()))
                        .toList());
        assertThat(life.ownership().organisations().contains(life.org))
                .isEqualTo(!rows.runs().isEmpty());
    }

    @Test
    void an_uncommitted_transaction_leaves_nothing() {
        String org = newOrganisation();
        try (ShardOwnership ownership = takeShard(org)) {
            OrganisationRows before = ownership.load(org);
            try (Transaction transaction = ownership.begin()) {
                transaction.write(org, registrationMoves(transaction.now()));
            }
            assertThat(ownership.load(org)).isEqualTo(before);
            assertThat(ownership
                            .loadConcurrently(org, true, LoadAllowance.UNLIMITED)
                            .rows())
                    .isEqualTo(before);
        }
    }

    @Test
    void reads_within_a_transaction_keep_it_open_so_that_a_later_owner_fences_it() {
        String org = newOrganisation();
        try (ShardOwnership first = takeShard(org)) {
            commit(first, org, registrationMoves(now(first)));
            try (Transaction transaction = first.begin()) {
                Plan plan = first.plan(org, "empty", 1);
                assertThat(first.load(org).workflows()).containsOnlyKeys("empty");
                assertThat(first.claims(org, 0, List.of())).isEmpty();
                assertThat(first.slice(org, 0, 10, 10).runs()).isEmpty();
                assertThat(first.findEndedRuns(org, List.of("nobody"))).isEmpty();
                var start = StartRun.of("r", plan, JsonNodeFactory.instance.objectNode());
                transaction.write(
                        org, new Organisation().handle(start, transaction.now()).moves());
                try (ShardOwnership second = takeShard(org)) {
                    assertThatThrownBy(transaction::commit).isInstanceOf(JournalFailure.class);
                    assertThat(second.load(org).runs()).isEmpty();
                }
            }
        }
    }

    @Test
    void a_new_ownership_ends_the_one_before() {
        String org = newOrganisation();
        try (ShardOwnership first = takeShard(org)) {
            commit(first, org, registrationMoves(now(first)));
            try (ShardOwnership second = takeShard(org)) {
                assertThat(second.epoch()).isGreaterThan(first.epoch());
                assertThatThrownBy(() -> commit(first, org, registrationMoves(0)))
                        .isInstanceOf(JournalFailure.Fenced.class);
                assertThat(second.load(org).workflows()).containsOnlyKeys("empty");
            }
        }
    }

    @Test
    void the_id_of_a_run_that_has_ended_is_never_used_again() {
        String org = newOrganisation();
        try (ShardOwnership ownership = takeShard(org)) {
            commit(ownership, org, registrationMoves(now(ownership)));
            Plan plan = ownership.plan(org, "empty", 1);
            var memory = Organisation.restore(ownership.load(org), now(ownership));
            runToEnd(ownership, memory, org, plan, "one");
            EndedRun ended = ownership.load(org).endedRuns().getFirst();
            assertThat(ended.run()).isEqualTo("one");
            assertThat(ownership.findEndedRuns(org, Set.of("one", "none"))).containsExactly(ended);

            var forgetful = Organisation.restore(ownership.load(org).withoutEndedRuns(), now(ownership));
            assertThatThrownBy(() -> runToEnd(ownership, forgetful, org, plan, "one"))
                    .isInstanceOfSatisfying(JournalFailure.RunIdsInUse.class, taken -> {
                        assertThat(taken.org()).isEqualTo(org);
                        assertThat(taken.runs()).containsExactly("one");
                    });
            runToEnd(ownership, memory, org, plan, "two");
            assertThat(ownership.load(org).endedRuns())
                    .extracting(EndedRun::run)
                    .containsExactly("one", "two");
            assertThat(ownership.load(org).nextRunNumber()).isEqualTo(3);
        }
    }

    private static void runToEnd(ShardOwnership ownership, Organisation memory, String org, Plan plan, String run) {
        try (Transaction transaction = ownership.begin()) {
            var start = StartRun.of(run, plan, JsonNodeFactory.instance.objectNode());
            transaction.write(org, memory.handle(start, transaction.now()).moves());
            transaction.write(org, memory.advance(transaction.now()).moves());
            transaction.commit();
        }
    }

    @Test
    void time_is_never_behind_what_was_written() {
        String org = newOrganisation();
        try (ShardOwnership ownership = takeShard(org)) {
            long ahead = now(ownership) + 3_600_000_000L;
            commit(ownership, org, registrationMoves(ahead));
            assertThat(now(ownership)).isGreaterThanOrEqualTo(ahead);
        }
    }

    @Test
    void one_transaction_writes_for_several_organisations_or_for_none() {
        Set<String> orgs = new HashSet<>();
        while (orgs.size() < 2) {
            String org = newOrganisation();
            if (orgs.isEmpty()
                    || journal().shardOf(org)
                            == journal().shardOf(orgs.iterator().next())) {
                orgs.add(org);
            }
        }
        try (ShardOwnership ownership = takeShard(orgs.iterator().next())) {
            try (Transaction transaction = ownership.begin()) {
                orgs.forEach(org -> transaction.write(org, registrationMoves(transaction.now())));
                transaction.commit();
            }
            orgs.forEach(org -> assertThat(ownership.load(org).workflows()).containsOnlyKeys("empty"));
        }
    }

    private ShardOwnership takeShard(String org) {
        return journal().take(journal().shardOf(org), "contract");
    }

    private static long now(ShardOwnership ownership) {
        try (Transaction transaction = ownership.begin()) {
            return transaction.now();
        }
    }

    private static void commit(ShardOwnership ownership, String org, List<Move> moves) {
        try (Transaction transaction = ownership.begin()) {
            transaction.write(org, moves);
            transaction.commit();
        }
    }

    private static List<Move> registrationMoves(long now) {
        int empty = RandomDefinitions.DEFINITIONS.size() - 1;
        return new Organisation()
                .handle(new RegisterWorkflow(RandomDefinitions.workflow(empty, 1)), now)
                .moves();
    }
}
