package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Events.EventView;
import dev.weir.api.Events.OutcomeView;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Runs.RunPage;
import dev.weir.api.Runs.RunSummary;
import dev.weir.client.RequestFailed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests events over HTTP, on a node that is killed in the middle. */
@Tag("R4.5")
@Tag("R4.6")
class EventsEndToEndTest {
    private static final int EVENTS = 120;
    private static final int KEYS = 3;

    @Test
    void a_kill_in_the_middle_of_a_burst_loses_no_event_and_each_burst_starts_one_run() throws Exception {
        try (var driver = new NodeDriver("events", List.of())) {
            driver.apply(
                    "burst",
                    "triggers: [{id: t, event: changed, debounce: {key: '${{ event.data.k }}', period: 2s, max_wait: 5s}}]");
            driver.apply("plain", "triggers: [{id: t, event: changed}]");
            CompletableFuture<Void> restart = CompletableFuture.completedFuture(null);
            for (int i = 0; i < EVENTS; i++) {
                if (i == EVENTS / 3) {
                    restart = CompletableFuture.runAsync(() -> restart(driver));
                }
                send(driver, i);
            }
            restart.join();
            driver.await("all events", () -> isSettled(driver));
            Map<String, Set<String>> started = new HashMap<>();
            Map<String, Set<String>> merged = new HashMap<>();
            for (int i = 0; i < EVENTS; i++) {
                EventView event = driver.client.events().show("e" + i);
                OutcomeView burst = event.outcomes().get(0);
                (burst.outcome().equals("started") ? started : merged)
                        .computeIfAbsent(String.valueOf(burst.run()), ignored -> new TreeSet<>())
                        .add(event.id());
                assertThat(event.outcomes().get(1).run()).isEqualTo("plain:t:e" + i);
            }
            assertThat(started)
                    .allSatisfy((run, last) -> assertThat(run)
                            .isEqualTo("burst:t:" + last.iterator().next()));
            assertThat(started.values()).allSatisfy(last -> assertThat(last).hasSize(1));
            assertThat(started.keySet()).containsAll(merged.keySet());
            assertThat(runs(driver, "burst")).isEqualTo(started.keySet());
            assertThat(runs(driver, "plain")).hasSize(EVENTS);
            assertThat(started.size()).isLessThan(EVENTS / 2);
        }
    }

    private static void restart(NodeDriver driver) {
        try {
            driver.node.restart();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends an event until it is stored, as a sender does that does not know the outcome. */
    private static void send(NodeDriver driver, int number) {
        var event = SendEventRequest.of(
                "e" + number, "changed", NodeDriver.json("{'k': 'k" + number % KEYS + "', 'n': " + number + "}"));
        driver.await("event " + number, () -> {
            try {
                driver.client.events().send(event);
                return true;
            } catch (RequestFailed.Refused e) {
                assertThat(e.problem().status()).as(e.getMessage()).isEqualTo(503);
                return false;
            } catch (RequestFailed e) {
                return false;
            }
        });
    }

    private static boolean isSettled(NodeDriver driver) throws InterruptedException {
        for (int i = EVENTS - 1; i >= 0; i--) {
            EventView event = driver.client.events().show("e" + i);
            if (!event.delivered() || event.outcomes().get(0).outcome().equals("debouncing")) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> runs(NodeDriver driver, String workflow) throws InterruptedException {
        RunPage page = driver.client.runs(Map.of("workflow", workflow, "limit", "200"));
        Set<String> ids = new TreeSet<>();
        page.runs().stream().map(RunSummary::id).forEach(ids::add);
        return ids;
    }

    @Test
    void the_commands_send_show_and_list_events_and_schedules_and_the_chain_survives_a_kill() throws Exception {
        try (var driver = new NodeDriver("event-commands", List.of())) {
            driver.apply(
                    "first",
                    "triggers: [{id: t, event: begin}, {id: s, schedule: '0 6 * * *', timezone: Europe/Berlin}]\n"
                            + "steps: [{id: work, uses: m}, {id: tell, needs: [work], emit: {event: next}}]");
            driver.apply("second", "triggers: [{id: t, event: next}]");
            assertThat(driver.runCommand("events", "send", "begin", "--id", "b1", "--correlation-id", "c7"))
                    .isEqualTo("b1: received");
            assertThat(driver.runCommand("events", "send", "begin", "--id", "b1", "--correlation-id", "c7"))
                    .isEqualTo("b1: already received");
            var work = driver.claim("m");
            driver.node.restart();
            driver.complete(work, "1");
            driver.await(
                    "the run of the emitted event",
                    () -> !runs(driver, "second").isEmpty());
            String second = runs(driver, "second").iterator().next();
            assertThat(second).matches("second:t:weir\\.first:t:b1\\.\\d+\\.tell\\.1");
            driver.awaitEnd(second, "completed");
            var run = driver.client.run(second);
            assertThat(run.correlationId()).isEqualTo("c7");
            assertThat(Objects.requireNonNull(run.origin()).chain()).hasSize(3);
            assertThat(driver.runCommand("runs", "--correlation-id", "c7")).contains("first:t:b1", second);
            assertThat(driver.runCommand("events", "show", "b1")).contains("first/t started first:t:b1", "c7");
            assertThat(driver.runCommand("events", "--event", "next")).contains("second/t started");
            assertThat(driver.runCommand("schedules")).contains("Europe/Berlin", "0 6 * * *");
        }
    }
}
