package dev.weir.cli.rig;

import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.PinRequest;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Changes limits now and then while work is under way: lowers two keys, raises one, and unpins them again. */
final class Operator implements Runnable {
    /** The value to which the key right is raised. Its steps declare 6. */
    static final int RIGHT_RAISED = 8;

    private static final int SHARED_LOWERED = 4;
    private static final int PACED_LOWERED = 12;
    private static final int CHANGE_INTERVAL_MILLIS = 900;

    private final Client client;
    private final LoadState loadState;
    private final ClientLog clientLog;

    Operator(Client client, LoadState loadState, ClientLog clientLog) {
        this.client = client;
        this.loadState = loadState;
        this.clientLog = clientLog;
    }

    @Override
    public void run() {
        try {
            while (loadState.acceptsStarts()) {
                pin("shared", SHARED_LOWERED, 0);
                sleep();
                pin("paced", 0, PACED_LOWERED);
                sleep();
                pin("right", RIGHT_RAISED, 0);
                sleep();
                unpin("shared");
                sleep();
                unpin("paced");
                unpin("right");
                sleep();
            }
            unpin("shared");
            unpin("paced");
            unpin("right");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            clientLog.problems.add("a change of a limit was refused: " + e.getMessage());
        }
    }

    private void sleep() throws InterruptedException {
        loadState.sleepWhileStarting(CHANGE_INTERVAL_MILLIS);
    }

    private void pin(String key, int parallelism, int rate) throws InterruptedException {
        var request = PinRequest.exactly(key, parallelism == 0 ? null : parallelism, rate == 0 ? null : rate, null);
        long requestedAt = micros();
        loadState.retryUntilAnswered(() -> client.pin(request));
        clientLog.limitChanges.add(new ClientLog.LimitChange("key:" + key, parallelism, rate, requestedAt, micros()));
    }

    private void unpin(String key) throws InterruptedException {
        long requestedAt = micros();
        loadState.retryUntilAnswered(() -> client.operate("unpin", new KeyRequest(key, null, null)));
        clientLog.limitChanges.add(new ClientLog.LimitChange("key:" + key, 0, 0, requestedAt, micros()));
    }

    /** Returns the time of the machine's clock, which is the database's too. */
    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
