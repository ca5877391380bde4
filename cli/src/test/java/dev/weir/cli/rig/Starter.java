package dev.weir.cli.rig;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;

/**
 * Keeps a number of steps of a workflow open. It starts runs with ids of its own, and repeats requests that got no
 * answer.
 */
final class Starter implements Runnable {
    private static final int CHECK_INTERVAL_MILLIS = 40;

    private final Load.LoadWorkflow flow;
    private final Client client;
    private final LoadState loadState;
    private final ClientLog clientLog;

    Starter(Load.LoadWorkflow flow, Client client, LoadState loadState, ClientLog clientLog) {
        this.flow = flow;
        this.client = client;
        this.loadState = loadState;
        this.clientLog = clientLog;
    }

    @Override
    public void run() {
        int units = Load.units(flow.name());
        var open = loadState.openSteps(flow.name());
        try {
            for (int n = 0; loadState.acceptsStarts(); ) {
                if (open.get() + units > flow.openSteps()) {
                    loadState.sleepWhileStarting(CHECK_INTERVAL_MILLIS);
                    continue;
                }
                open.addAndGet(units);
                String run = flow.name() + "-" + n++;
                loadState.retryUntilAnswered(() -> client.start(StartRunRequest.of(flow.name(), run, null)));
                clientLog.acceptedRuns.add(new ClientLog.AcceptedRun(run, flow.name()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            clientLog.problems.add("a run of " + flow.name() + " was refused: " + e.getMessage());
        }
    }
}
