package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.ResumeOrganisation;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.WorkflowAvailability;
import dev.weir.engine.Weir;
import dev.weir.engine.organisations.SecretStore;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.secret.SecretCipher;
import dev.weir.postgres.sql.DatabaseAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Checks that a later Weir keeps and uses the rows of {@link OperatorScenario}. */
final class OperatorAssertions {
    private static final String NORTH = FixtureScenario.NORTH;
    private static final String SOUTH = FixtureScenario.SOUTH;
    private static final String ALL_RUNS = "select run_id from live_runs union all select run_id from history_runs";

    private final DatabaseAddress address;
    private final PostgresDatabase database;
    private final Weir weir;

    OperatorAssertions(DatabaseAddress address, PostgresDatabase database, Weir weir) {
        this.address = address;
        this.database = database;
        this.weir = weir;
    }

    private List<String> strings(String query) throws SQLException {
        return StoreFixtureTest.strings(address, query);
    }

    /** Uses the settings while the runs of the fixture are live. Afterwards, all of its runs can finish. */
    void assertThatSettingsAreUsed() throws Exception {
        assertThat(strings("select run_id from live_runs where rate_limit_hold_until is not null"))
                .as("held runs")
                .contains("keyed_2", "keyed_3", "single_2");
        assertThat(start("keyed_4", "keyed", "{\"k\":1}"))
                .as("the ceiling of the run key")
                .isInstanceOf(StartOutcome.QueueFull.class);
        assertThat(start("shelved_2", "shelved", "{}"))
                .as("the workflow is archived")
                .isInstanceOf(StartOutcome.Closed.class);
        assertThat(start("south_2", SOUTH, "one", "{}"))
                .as("the organisation is suspended")
                .isInstanceOf(StartOutcome.Closed.class);
        assertThat(strings("select run_id from live_runs where run_id = 'resting' and state = 'queued'"))
                .as("the workflow is paused")
                .hasSize(1);
        assertThat(strings("select id from events where triggers is null")).containsExactly("pending");
        get(weir.send(SOUTH, new ResumeOrganisation(SOUTH)));
        assertThat(get(weir.send(NORTH, new SetWorkflowAvailability("resting", WorkflowAvailability.OPEN))))
                .isTrue();
        assertThatTriggersStartRuns();
    }

    private void assertThatTriggersStartRuns() throws Exception {
        var known = new EventRequest("e-1", false, "ordered", "shop", OrganisationHarness.json("{\"n\":1}"), "o-7");
        assertThat(get(weir.receive(NORTH, known, Attribution.PROGRAM))).isInstanceOf(EventReceipt.Existing.class);
        var later = EventRequest.of("later", "ordered", OrganisationHarness.json("{\"n\":2}"));
        assertThat(get(weir.receive(NORTH, later, Attribution.PROGRAM))).isInstanceOf(EventReceipt.Received.class);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(strings(ALL_RUNS))
                        .contains("ordered:t:pending", "ordered:t:later", "burst:t:e-4")
                        .doesNotContain("burst:t:e-3")
                        .anyMatch(run -> run.startsWith("yearly:t:")));
        assertThat(strings("select outcome from event_outcomes join events on events.org = event_outcomes.org"
                        + " and events.number = event and events.id = 'later' and outcome = 'debounced'"))
                .as("the default debounce of the organisation")
                .isNotEmpty();
    }

    private StartOutcome start(String run, String workflow, String input) throws Exception {
        return start(run, NORTH, workflow, input);
    }

    private StartOutcome start(String run, String org, String workflow, String input) throws Exception {
        return get(weir.start(org, StartRequest.of(run, workflow, OrganisationHarness.json(input))));
    }

    void assertThatRowsAreKept() throws Exception {
        assertThatLimitsAndAccountsAreKept();
        assertThatEventsAreKept();
        assertThatDeadLettersAndNoticesAreKept();
        assertThatOrganisationsAndDeletionsAreKept();
    }

    void assertThatNoticeThresholdsAreKept() throws SQLException {
        assertThat(strings("""
                select concat_ws(' ', notice_oldest_waiter, notice_dead_letters) from rate_limit_configs
                where scope = 'organisation'
                """)).containsExactly("3600000000 1");
    }

    private void assertThatLimitsAndAccountsAreKept() throws SQLException {
        assertThat(strings("""
                select concat_ws(' ', scope, workflow, run_key, max_concurrent_runs, runs_per_minute, max_queued_runs,
                                 default_debounce, version, actor, reason)
                from live_run_limits where scope <> 'workflow' order by 1
                """))
                .as("the temporary values have ended")
                .containsExactly(
                        "organisation 5000 9000 4000 00:00:01 2 ops a sale", "run_key keyed k-1 1 2 2 ops a sale");
        var counts = database.records().accounts().counts(NORTH);
        assertThat(counts.started()).isGreaterThan(55);
        assertThat(counts.deferred()).isGreaterThanOrEqualTo(4);
        assertThat(counts.debounced()).isGreaterThanOrEqualTo(1);
        assertThat(counts.cascadeDetected()).isEqualTo(1);
        var quota = database.records().accounts().quota(NORTH);
        assertThat(quota.limit()).isEqualTo(1_000);
        assertThat(quota.timeZone()).isEqualTo("Europe/Berlin");
        assertThat(strings("select login from organisation_readers union all select login from organisation_starters"))
                .hasSize(2);
        SecretStore.SealedSecret secret =
                database.secrets().find(NORTH, "TOKEN").orElseThrow();
        var sealed = new SecretCipher.Sealed(
                Objects.requireNonNull(secret.keyId()), Objects.requireNonNull(secret.sealed()));
        assertThat(OperatorScenario.CIPHER.open(secret.organisation(), "TOKEN", sealed))
                .contains(OperatorScenario.SEALED_VALUE);
    }

    private void assertThatEventsAreKept() throws SQLException {
        assertThat(strings("select concat_ws(' ', id, source, triggers) from events where id like 'e-%' order by id"))
                .containsExactly("e-1 shop 2", "e-2 0", "e-3 1", "e-4 1", "e-5 1", "e-6 1");
        assertThat(strings("select outcome from event_outcomes"))
                .contains("started", "debounced", "filtered", "cascade", "failed");
        assertThat(strings(
                        "select concat_ws(' ', workflow, events, outcome, run) from debounce_windows order by number"))
                .contains("burst 2 started burst:t:e-4", "quick 1 started quick:t:e-5")
                .allMatch(window -> window.contains(" started "));
        assertThat(weir.records().findRun(NORTH, "ordered:t:e-1").orElseThrow().toString())
                .as("the run of an event has its chain")
                .contains("e-1", "o-7");
        assertThat(strings("select last_run from schedules where workflow = 'yearly' and handled_to > 0"))
                .singleElement()
                .asString()
                .startsWith("yearly:t:");
    }

    private void assertThatDeadLettersAndNoticesAreKept() throws SQLException {
        assertThat(strings("select concat_ws(' ', kind, state, subject) from dead_letters order by number"))
                .contains(
                        "s d refused",
                        "f o dead",
                        "f d discarded",
                        "f r redriven",
                        "e o e-6",
                        "s o refused_later",
                        "f o undo")
                .anyMatch(letter -> letter.startsWith("c o "));
        assertThat(strings("select chain from dead_letters where kind = 'c' and chain is not null"))
                .hasSize(1);
        assertThat(strings("select id from bulk_operations where action = 'd' and ended_at is not null"))
                .containsExactly("discards");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(
                                strings("select distinct kind from notices where closed_at is null and kind <> 'rate'"))
                        .as("only the dead letters are still above a threshold, and rates for a minute")
                        .containsExactly("dead_letters"));
        assertThat(strings("select distinct concat_ws(' ', kind, severity) from notices where closed_at is not null"))
                .contains("dead_letters warning", "capacity warning", "capacity critical");
    }

    private void assertThatOrganisationsAndDeletionsAreKept() throws SQLException {
        while (database.deletions().continueOne()) {
            // The next part follows.
        }
        assertThat(strings("select coalesce(run, org_name) from deletions where ended_at is not null order by 1"))
                .containsExactly("erased", OperatorScenario.GONE, "to_erase");
        assertThat(weir.records().findRun(NORTH, "to_erase")).isEmpty();
        assertThat(strings("select workflow || ' ' || state from workflow_availability"))
                .containsExactly("shelved archived");
        var organisations = database.organisations();
        assertThat(organisations.findOrganisation(OperatorScenario.EAST)).isPresent();
        for (String taken : List.of(OperatorScenario.WEST, OperatorScenario.GONE)) {
            assertThat(organisations.createOrganisation(taken, Attribution.PROGRAM))
                    .as(taken)
                    .isEmpty();
        }
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }
}
