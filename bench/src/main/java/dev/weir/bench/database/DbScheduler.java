package dev.weir.bench.database;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** db-scheduler in its fastest setting: it locks and fetches rows in one statement. It deletes rows that are done. */
final class DbScheduler implements Contender {
    private static final int THREADS = 16;
    private static final int CONNECTIONS = 24;

    private final HikariDataSource pool;
    private final Scheduler scheduler;
    private final OneTimeTask<String> task;
    private final ExecutorService starters = Executors.newFixedThreadPool(THREADS);
    private final AtomicLong done = new AtomicLong();
    private long next;
    private volatile CountDownLatch latch = new CountDownLatch(0);

    DbScheduler(BenchDatabase server) throws Exception {
        server.execute(
                "drop table if exists scheduled_tasks",
                "create table scheduled_tasks (task_name text not null, task_instance text not null, task_data bytea,"
                        + " execution_time timestamptz not null, picked boolean not null, picked_by text,"
                        + " last_success timestamptz, last_failure timestamptz, consecutive_failures int,"
                        + " last_heartbeat timestamptz, version bigint not null, priority smallint,"
                        + " primary key (task_name, task_instance))",
                "create index on scheduled_tasks (execution_time)");
        var config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
        task = Tasks.oneTime("no-op", String.class).execute((instance, context) -> {
            done.incrementAndGet();
            latch.countDown();
        });
        scheduler = Scheduler.create(pool, task)
                .threads(THREADS)
                .pollUsingLockAndFetch(4.0, 8.0)
                .pollingInterval(Duration.ofMillis(100))
                .enableImmediateExecution()
                .build();
        scheduler.start();
    }

    @Override
    public String name() {
        return "db-scheduler";
    }

    @Override
    public void run(int jobs) throws InterruptedException {
        latch = new CountDownLatch(jobs);
        Instant now = Instant.EPOCH;
        for (int i = 0; i < jobs; i++) {
            String id = "job-" + next++;
            starters.execute(() -> scheduler.scheduleIfNotExists(task.instance(id, Payload.JSON), now));
        }
        latch.await();
    }

    @Override
    public long done() {
        return done.get();
    }

    @Override
    public void close() {
        starters.shutdownNow();
        scheduler.stop();
        pool.close();
    }
}
