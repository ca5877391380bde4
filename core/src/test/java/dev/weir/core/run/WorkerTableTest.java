package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.EndPoll;
import dev.weir.core.command.Heartbeat;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerTableTest {
    private final World world = new World();

    private void poll(String request, String worker, int limit, String... modules) {
        List<ClaimWork.ServedModule> served =
                List.of(modules).stream().map(ClaimWork.ServedModule::new).toList();
        world.handle(new ClaimWork(request, worker, served, limit, World.LEASE));
    }

    private WorkerTable workers() {
        return world.org.view().workers();
    }

    private WorkerSnapshot only() {
        List<WorkerSnapshot> all = workers().list("", "", 10, world.now);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    void a_poll_shows_a_worker_with_its_modules_and_places() {
        poll("q", "w", 5, "m", "n", "m");
        assertThat(only()).isEqualTo(new WorkerSnapshot("w", List.of("m", "n"), world.now, world.now, 0, 1, 5, 5));
        assertThat(workers().pollingWorkers("m")).isEqualTo(1);
        assertThat(workers().freePlaces("n")).isEqualTo(5);
        poll("q2", "w", 3, "m");
        assertThat(workers().pollingWorkers("m"))
                .as("one worker with two polls")
                .isEqualTo(1);
        assertThat(workers().freePlaces("m")).isEqualTo(8);
        world.handle(new EndPoll("q"));
        assertThat(workers().pollingWorkers("m")).isEqualTo(1);
        assertThat(workers().pollingWorkers("n")).isZero();
        world.handle(new EndPoll("q2"));
        assertThat(workers().freePlaces("m")).isZero();
        assertThat(only().polls()).isZero();
    }

    @Test
    void claims_count_until_they_are_reported_and_heartbeats_are_heard() {
        world.start("r", plan(step("a"), step("b")));
        poll("q", "w", 5, "m");
        List<Assignment> given = world.advance().getFirst().assignments();
        assertThat(given).hasSize(2);
        assertThat(only().running()).isEqualTo(2);
        assertThat(only().polls()).as("the answered poll").isZero();
        world.passTime(10 * SECOND);
        world.handle(new Heartbeat(
                given.getFirst().claim().unit(), given.getFirst().claim().fence()));
        assertThat(only().lastSeenAt()).isEqualTo(world.now);
        assertThat(only().since()).isEqualTo(world.now - 10 * SECOND);
        world.passTime(World.LEASE);
        assertThat(only().running()).as("both leases ended").isZero();
    }

    @Test
    void a_restart_knows_workers_by_their_claims() {
        world.start("r", plan(step("a")));
        poll("q", "w", 1, "m");
        world.advance();
        world.restart();
        assertThat(only().running()).isEqualTo(1);
        assertThat(only().modules()).containsExactly("m");
        assertThat(only().polls()).isZero();
    }

    @Test
    void a_worker_that_was_not_heard_for_long_is_forgotten() {
        poll("q", "old", 1, "m");
        world.handle(new EndPoll("q"));
        world.passTime(WorkerTable.RETENTION);
        assertThat(workers().list("", "", 10, world.now)).isEmpty();
        poll("q2", "new", 1, "m");
        assertThat(only().name()).isEqualTo("new");
    }

    @Test
    void many_names_without_polls_are_dropped_oldest_first() {
        for (int i = 0; i <= WorkerTable.WORKERS_MAX + 10; i++) {
            poll("q" + i, "w" + i, 1, "m");
            world.handle(new EndPoll("q" + i));
        }
        assertThat(workers().list("", "", 20_000, world.now))
                .hasSizeLessThanOrEqualTo(WorkerTable.WORKERS_MAX + 1)
                .extracting(WorkerSnapshot::name)
                .doesNotContain("w0")
                .contains("w" + WorkerTable.WORKERS_MAX);
    }

    @Test
    void pages_are_in_the_order_of_names() {
        for (String name : List.of("c", "a", "b")) {
            poll("q" + name, name, 1, "m");
        }
        assertThat(workers().list("", "", 2, world.now))
                .extracting(WorkerSnapshot::name)
                .containsExactly("a", "b");
        assertThat(workers().list("", "b", 2, world.now))
                .extracting(WorkerSnapshot::name)
                .containsExactly("c");
    }
}
