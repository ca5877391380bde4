package dev.weir.cli.rig;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;

/**
 * Keeps a number of steps of a workflow open. It starts runs with ids of its own, and repeats requests that got no
 * answer.
 */
final class Starter implements Runnable {
    private static final int REST_MILLIS = 40;

    private final Load.Flow flow;
    private final Client client;
    private final Pulse pulse;
    private final Notes notes;

    Starter(Load.Flow flow, Client client, Pulse pulse, Notes notes) {
        this.flow = flow;
        this.client = client;
        this.pulse = pulse;
        this.notes = notes;
    }

    @Override
    public void run() {
        int units = Load.units(flow.name());
        var open = pulse.open(flow.name());
        try {
            for (int n = 0; pulse.takesRuns(); ) {
                if (open.get() + units > flow.waiting()) {
                    pulse.restWhileTakingRuns(REST_MILLIS);
                    continue;
                }
                open.addAndGet(units);
                String run = flow.name() + "-" + n++;
                pulse.untilAnswered(() -> client.start(StartRunRequest.of(flow.name(), run, null)));
                notes.started.add(new Notes.Started(run, flow.name()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            notes.troubles.add("a run of " + flow.name() + " was refused: " + e.getMessage());
        }
    }
}
