package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.DeleteRun;
import dev.weir.core.command.SetSecret;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Update;
import dev.weir.core.state.WorkflowAvailability;
import dev.weir.engine.Weir;
import dev.weir.engine.organisations.DeletionStore;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.NoticeFilter;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.QuotaChange;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.secret.SecretCipher;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fills a store with the kinds of rows that the schema versions 4 to 7 brought: limits of organisations and run keys,
 * quotas, events, schedules, stopped workflows and organisations, secrets, deletions, dead letters and notices.
 */
final class OperatorScenario {
    /** An organisation that is deleted. */
    static final String GONE = "gone";
    /** The former name of an organisation. */
    static final String WEST = "west";

    static final String EAST = "east";

    /** Seals a value that everybody may know. */
    static final SecretCipher CIPHER = SecretCipher.of(List.of(new byte[SecretCipher.KEY_BYTES]));

    static final String SEALED_VALUE = "not a secret";

    private static final String NORTH = FixtureScenario.NORTH;
    private static final String SOUTH = FixtureScenario.SOUTH;
    private static final long HOUR = 3_600_000_000L;
    private static final int NORTH_NUMBER = 1;
    private static final String ORDERED = """
            workflow: ordered
            triggers:
              - {id: big, event: ordered, if: "${{ event.data.n > 100 }}"}
              - {id: t, event: ordered}
            steps: [{id: a, uses: m}]
            """;
    private static final List<String> DEFINITIONS = List.of(
            ORDERED,
            """
            workflow: burst
            triggers: [{id: t, event: clicked, debounce: {key: "${{ event.data.user }}", period: 1h}}]
            steps: [{id: a, uses: m}]
            """,
            """
            workflow: quick
            triggers: [{id: t, event: typed, debounce: {period: 1ms}}]
            steps: [{id: a, uses: m}]
            """,
            """
            workflow: loop
            limits: {max_cascade_depth: 3}
            triggers: [{id: t, event: looped}]
            steps: [{id: a, emit: {event: looped, data: {}}}]
            """,
            """
            workflow: broken
            triggers: [{id: t, event: broke, input: {x: "${{ event.data.missing.deep }}"}}]
            steps: [{id: a, uses: m}]
            """,
            "workflow: yearly\ntriggers: [{id: t, schedule: '0 6 1 1 *'}]\nsteps: [{id: a, uses: m}]",
            """
            workflow: keyed
            limits: {run_key: "k-${{ input.k }}", max_concurrent_runs_per_key: 5}
            steps: [{id: a, uses: m}]
            """,
            "workflow: resting\nsteps: [{id: a, uses: m}]",
            "workflow: shelved\nsteps: [{id: a, uses: m}]");

    private final FixtureScenario base;
    private final Weir weir;
    private final PostgresDatabase database;

    OperatorScenario(FixtureScenario base, Weir weir, PostgresDatabase database) {
        this.base = base;
        this.weir = weir;
        this.database = database;
    }

    void fill() throws Exception {
        for (String definition : DEFINITIONS) {
            base.register(NORTH, definition);
        }
        events();
        deadLetters();
        limits();
        availability();
        accounts();
        organisations();
        deletions();
        suspension();
        assertThat(openNotices()).as("notices are open").isNotZero();
    }

    /** Closes the only dead letter, that of the refused start, so that the notice about dead letters closes. */
    void closeNotice() throws Exception {
        await().atMost(Duration.ofSeconds(30)).until(() -> openNotices() > 0);
        close("refused", DeadLetter.State.DISCARDED);
        await().atMost(Duration.ofSeconds(30)).until(() -> openNotices() == 0);
    }

    private long openNotices() {
        var all = database.records().notices().notices(NORTH, NoticeFilter.ALL, new PageRequest("", 50));
        return all.entries().stream()
                .filter(notice -> notice.closedAt() == null)
                .count();
    }

    private void events() throws Exception {
        emitEvent(
                NORTH, new EventRequest("e-1", false, "ordered", "shop", OrganisationHarness.json("{\"n\":1}"), "o-7"));
        emitEvent(NORTH, EventRequest.of("e-2", "unheard", OrganisationHarness.json("{}")));
        emitEvent(NORTH, EventRequest.of("e-3", "clicked", OrganisationHarness.json("{\"user\":\"ann\"}")));
        emitEvent(NORTH, EventRequest.of("e-4", "clicked", OrganisationHarness.json("{\"user\":\"ann\"}")));
        emitEvent(NORTH, EventRequest.of("e-5", "typed", OrganisationHarness.json("{}")));
        emitEvent(NORTH, EventRequest.of("e-6", "broke", OrganisationHarness.json("{}")));
        base.start("loop", "loop");
        awaitRun("ordered:t:e-1");
        awaitRun("quick:t:e-5");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> find(DeadLetter.Kind.CASCADE, null) != null && find(DeadLetter.Kind.EVENT, "e-6") != null);
    }

    private void emitEvent(String org, EventRequest event) throws Exception {
        assertThat(weir.receive(org, event, Attribution.PROGRAM).get(60, TimeUnit.SECONDS))
                .isInstanceOf(EventReceipt.Received.class);
    }

    private void awaitRun(String run) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> database.records().findRun(NORTH, run).isPresent());
    }

    /** Leaves dead letters of failed runs: an open one, and one that was closed in each way. */
    private void deadLetters() throws Exception {
        for (String run : List.of("dead", "discarded", "redriven")) {
            base.start(run, "fails");
            base.report(base.claim("boom", 1).getFirst(), FixtureScenario.failed("broken"));
            await().atMost(Duration.ofSeconds(30)).until(() -> find(DeadLetter.Kind.FAILED_RUN, run) != null);
        }
        close("discarded", DeadLetter.State.DISCARDED);
        close("redriven", DeadLetter.State.REDRIVEN);
        weir.bulk()
                .begin(
                        NORTH,
                        "discards",
                        new BulkOperation.Task(
                                BulkOperation.Action.DISCARD,
                                new DeadLetterFilter(null, null, null, "nobody's", null),
                                List.of(),
                                null,
                                new BulkOperation.Note("ops", "old")));
    }

    private @Nullable DeadLetterRecord find(DeadLetter.@Nullable Kind kind, @Nullable String subject) {
        var filter = new DeadLetterFilter(null, kind, null, null, null);
        var page = database.records().deadLetters().deadLetters(NORTH, filter, new PageRequest("", 50));
        return page.entries().stream()
                .filter(found -> subject == null
                        || subject.equals(found.letter().content().subject()))
                .findFirst()
                .orElse(null);
    }

    private void close(String subject, DeadLetter.State action) throws Exception {
        DeadLetterRecord found = Objects.requireNonNull(find(null, subject));
        var request = new DeadLetterRequest(found.letter().number(), subject, action);
        assertThat(weir.close(NORTH, request, Attribution.PROGRAM).get(60, TimeUnit.SECONDS))
                .isInstanceOf(DeadLetterOutcome.Closed.class);
    }

    /** Sets limits of the organisation and of a run key, and starts runs that the latter holds. */
    private void limits() throws Exception {
        long later = Moment.of(Instant.now()) + HOUR;
        configure(new LimitId.OrgRuns(), withNotices(values(5_000, 9_000, 4_000, 1_000_000L, Moment.NEVER)));
        configure(new LimitId.OrgRuns(), values(6_000, null, 4_500, HOUR, later));
        var key = new LimitId.RunKey("keyed", "k-1");
        configure(key, values(1, null, 2, null, Moment.NEVER));
        configure(key, values(null, 90, null, null, later));
        for (String run : List.of("keyed_1", "keyed_2", "keyed_3")) {
            weir.start(NORTH, StartRequest.of(run, "keyed", OrganisationHarness.json("{\"k\":1}")))
                    .get(60, TimeUnit.SECONDS);
        }
    }

    private void configure(LimitId.Runs limit, ConfigureRunLimits.Values values) throws Exception {
        assertThat(weir.send(NORTH, new ConfigureRunLimits(limit, values, null)).get(60, TimeUnit.SECONDS))
                .isInstanceOf(ConfigureRunLimits.Answer.Configured.class);
    }

    private static ConfigureRunLimits.Values withNotices(ConfigureRunLimits.Values values) {
        return new ConfigureRunLimits.Values(
                values.maxConcurrentRuns(),
                values.runsPerMinute(),
                values.maxConcurrentRunsPerKey(),
                values.maxCascadeDepth(),
                values.maxQueuedRuns(),
                values.defaultDebounce(),
                new ConfigureRunLimits.Notices(new FieldChange.Replace<>(HOUR), new FieldChange.Replace<>(1)),
                values.note(),
                values.until());
    }

    private static ConfigureRunLimits.Values values(
            @Nullable Integer runs,
            @Nullable Integer perMinute,
            @Nullable Integer queued,
            @Nullable Long debounce,
            long until) {
        return new ConfigureRunLimits.Values(
                FieldChange.replaceOrKeep(runs),
                FieldChange.replaceOrKeep(perMinute),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                FieldChange.replaceOrKeep(queued),
                FieldChange.replaceOrKeep(debounce),
                new ConfigureRunLimits.Note("ops", "a sale"),
                until);
    }

    private void availability() throws Exception {
        base.send(new SetWorkflowAvailability("resting", WorkflowAvailability.PAUSED));
        base.start("resting", "resting");
        base.start("shelved", "shelved");
        base.send(new SetWorkflowAvailability("shelved", WorkflowAvailability.ARCHIVED));
    }

    private void accounts() throws Exception {
        var accounts = database.records().accounts();
        accounts.changeQuota(NORTH, new QuotaChange(1_000L, "Europe/Berlin"), Attribution.PROGRAM);
        accounts.createReader(NORTH, Attribution.PROGRAM);
        database.organisations().createStarter(NORTH, Attribution.PROGRAM);
        SecretCipher.Sealed sealed = CIPHER.seal(NORTH_NUMBER, "TOKEN", SEALED_VALUE);
        base.send(new SetSecret("TOKEN", sealed.text(), sealed.keyId()));
    }

    /** Deletes a run, and orders the deletion of another one. */
    private void deletions() throws Exception {
        for (String run : List.of("erased", "to_erase")) {
            base.start(run, "skips");
            base.report(base.claim("done", 1).getFirst(), new Update.NoOp());
        }
        base.send(new DeleteRun("deletion-1", "erased"));
        finishDeletions();
        base.send(new DeleteRun("deletion-2", "to_erase"));
    }

    private void finishDeletions() {
        while (database.deletions().continueOne()) {
            // The next part follows.
        }
    }

    /** Suspends an organisation, and leaves an event in it that is therefore not delivered. */
    private void suspension() throws Exception {
        base.register(SOUTH, ORDERED);
        weir.send(SOUTH, new SuspendOrganisation(SOUTH, "unpaid")).get(60, TimeUnit.SECONDS);
        emitEvent(SOUTH, EventRequest.of("pending", "ordered", OrganisationHarness.json("{\"n\":7}")));
    }

    /** Renames an organisation, and deletes another one. */
    private void organisations() throws Exception {
        database.organisations().createOrganisation(WEST);
        assertThat(weir.whileClosed(WEST, () -> database.organisations().rename(WEST, EAST, Attribution.PROGRAM)))
                .isEqualTo(OrganisationStore.RenameOutcome.RENAMED);
        base.register(EAST, "workflow: one\nsteps: [{id: a, uses: m}]");
        database.organisations().createOrganisation(GONE);
        base.register(GONE, "workflow: one\nsteps: [{id: a, uses: m}]");
        weir.send(GONE, new SuspendOrganisation(GONE, null)).get(60, TimeUnit.SECONDS);
        assertThat(weir.whileClosed(GONE, () -> database.deletions().begin(GONE, Attribution.PROGRAM)))
                .isEqualTo(DeletionStore.BeginOutcome.BEGUN);
        finishDeletions();
    }
}
