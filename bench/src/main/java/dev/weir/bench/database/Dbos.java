package dev.weir.bench.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** DBOS Transact in its fastest setting: a workflow of one step, started from many threads, without a queue. */
final class Dbos implements Contender {
    private static final int THREADS = 16;
    private static final int CONNECTIONS = 24;

    private final BenchDatabase server;
    private final HikariDataSource pool;
    private final DBOS dbos;
    private final Flow flow;
    private final ExecutorService starters = Executors.newFixedThreadPool(THREADS);

    /** The interface that DBOS wraps. */
    public interface Flow {
        String oneStep(String payload) throws Exception;
    }

    /** The workflow. */
    public static final class OneStep implements Flow {
        private final DBOS dbos;

        OneStep(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "one_step")
        public String oneStep(String payload) throws Exception {
            return dbos.runStep(() -> payload, "step");
        }
    }

    Dbos(BenchDatabase server) {
        this.server = server;
        var config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
        dbos = new DBOS(DBOSConfig.defaults("bench").withDataSource(pool));
        flow = dbos.registerProxy(Flow.class, new OneStep(dbos));
        dbos.launch();
    }

    @Override
    public String name() {
        return "DBOS Transact";
    }

    @Override
    public void run(int jobs) throws Exception {
        List<Future<String>> results = new ArrayList<>(jobs);
        for (int i = 0; i < jobs; i++) {
            results.add(starters.submit(() -> flow.oneStep(Payload.JSON)));
        }
        for (Future<String> result : results) {
            result.get();
        }
    }

    @Override
    public long done() throws Exception {
        return server.number("select count(*) from dbos.workflow_status where status = 'SUCCESS'");
    }

    @Override
    public void close() {
        starters.shutdownNow();
        dbos.shutdown();
        pool.close();
    }
}
