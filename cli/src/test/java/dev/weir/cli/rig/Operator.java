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
    private static final int REST_MILLIS = 900;

    private final Client client;
    private final Pulse pulse;
    private final Notes notes;

    Operator(Client client, Pulse pulse, Notes notes) {
        this.client = client;
        this.pulse = pulse;
        this.notes = notes;
    }

    @Override
    public void run() {
        try {
            while (pulse.takesRuns()) {
                pin("shared", SHARED_LOWERED, 0);
                rest();
                pin("paced", 0, PACED_LOWERED);
                rest();
                pin("right", RIGHT_RAISED, 0);
                rest();
                unpin("shared");
                rest();
                unpin("paced");
                unpin("right");
                rest();
            }
            unpin("shared");
            unpin("paced");
            unpin("right");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            notes.troubles.add("a change of a limit was refused: " + e.getMessage());
        }
    }

    private void rest() throws InterruptedException {
        pulse.restWhileTakingRuns(REST_MILLIS);
    }

    private void pin(String key, int parallelism, int rate) throws InterruptedException {
        var request = PinRequest.exactly(key, parallelism == 0 ? null : parallelism, rate == 0 ? null : rate, null);
        long askedAt = micros();
        pulse.untilAnswered(() -> client.pin(request));
        notes.changed.add(new Notes.Changed("key:" + key, parallelism, rate, askedAt, micros()));
    }

    private void unpin(String key) throws InterruptedException {
        long askedAt = micros();
        pulse.untilAnswered(() -> client.operate("unpin", new KeyRequest(key, null, null)));
        notes.changed.add(new Notes.Changed("key:" + key, 0, 0, askedAt, micros()));
    }

    /** Returns the time of the machine's clock, which is the database's too. */
    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
