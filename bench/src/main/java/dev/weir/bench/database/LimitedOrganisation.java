package dev.weir.bench.database;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import java.io.IOException;
import java.sql.SQLException;

/**
 * Jobs of an organisation whose limits on runs are set before each round, or cleared. The limits are so high that they
 * delay nothing: only the work of counting is measured.
 */
final class LimitedOrganisation implements Contender {
    private static final int HIGH = 1_000_000;

    private final LocalNode node;
    private final OneStepRuns runs;
    private final String name;
    private final FieldChange<Integer> concurrentRuns;
    private final FieldChange<Integer> runsPerMinute;

    private LimitedOrganisation(LocalNode node, OneStepRuns runs, String name, boolean concurrent, boolean perMinute) {
        this.node = node;
        this.runs = runs;
        this.name = name;
        this.concurrentRuns = FieldChange.replaceOrClear(concurrent ? (Integer) HIGH : null);
        this.runsPerMinute = FieldChange.replaceOrClear(perMinute ? (Integer) (HIGH * 100) : null);
    }

    static LimitedOrganisation without(LocalNode node, OneStepRuns runs) {
        return new LimitedOrganisation(node, runs, "no limits", false, false);
    }

    static LimitedOrganisation withConcurrency(LocalNode node, OneStepRuns runs) {
        return new LimitedOrganisation(node, runs, "concurrent", true, false);
    }

    static LimitedOrganisation withBoth(LocalNode node, OneStepRuns runs) {
        return new LimitedOrganisation(node, runs, "and rate", true, true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void run(int jobs) throws Exception {
        var values = new ConfigureRunLimits.Values(
                concurrentRuns,
                runsPerMinute,
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                ConfigureRunLimits.Note.NONE,
                Moment.NEVER);
        node.weir()
                .send(LocalNode.ORG, new ConfigureRunLimits(new LimitId.OrgRuns(), values, null))
                .join();
        runs.run(jobs);
    }

    @Override
    public long done() throws Exception {
        return runs.done();
    }

    @Override
    public void close() throws IOException, SQLException {
        // The runs are shared, and whoever opened them closes them.
    }
}
