package dev.weir.cli.rig;

import dev.weir.api.Work;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.json.JsonMapper;

/** Workers that use the API directly, repeat requests that got no answer, and record everything they do. */
final class Crew {
    private static final int BODY_MIN_MILLIS = 50;
    private static final int BODY_MAX_MILLIS = 400;
    private static final int LEASE_MILLIS = 6_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int REST_MILLIS = 1_000;
    /** One report out of this many is sent a second time after it was answered. */
    private static final int REPEATED_EVERY = 20;

    /** The number of claims that may share a row. */
    private static final int CLAIMS_MANY = 24;

    private static final int FORGOTTEN_EVERY = 40;
    private static final int FORGOTTEN_MAX = 8;

    /** The outcomes that say that a report counts. */
    static final Set<String> APPLIED = Set.of("applied", "replayed");

    private final String name;
    private final Client client;
    private final Pulse pulse;
    private final Notes notes;
    private final Map<WorkClaim, Long> renewedAt = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    Crew(String name, Client client, Pulse pulse, Notes notes) {
        this.name = name;
        this.client = client;
        this.pulse = pulse;
        this.notes = notes;
    }

    /** Starts this many workers. One asks for many claims at once, and half of the others ask for two. */
    void start(int workers) {
        for (int i = 0; i < workers; i++) {
            int most = i == 0 ? CLAIMS_MANY : 1 + i % 2;
            String worker = name + "-" + i;
            threads.add(Thread.ofVirtual().name(worker).start(() -> work(worker, most)));
        }
        threads.add(Thread.ofVirtual().name(name + " heartbeats").start(this::beat));
    }

    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void work(String worker, int most) {
        var modules = Load.modules().stream().map(ModuleInfo::of).toList();
        try {
            while (pulse.goesOn()) {
                var request = new ClaimRequest(
                        modules, null, null, most, "2s", LEASE_MILLIS + "ms", "" + UUID.randomUUID(), worker);
                long askedAt = System.nanoTime();
                List<WorkClaim> claims =
                        pulse.untilAnswered(() -> client.claim(request)).claims();
                pulse.live.addAndGet(claims.size());
                List<Thread> bodies = new ArrayList<>();
                for (WorkClaim claim : claims) {
                    renewedAt.put(claim, askedAt);
                    bodies.add(Thread.ofVirtual().start(() -> carryOut(worker, claim)));
                }
                for (Thread body : bodies) {
                    body.join();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            notes.troubles.add(worker + " asked for work and was told: " + e.getMessage());
        }
    }

    private void carryOut(String worker, WorkClaim claim) {
        try {
            if (!forgets(claim) && stillOurs(claim)) {
                report(worker, claim);
            } else {
                notes.bodies.add(body(worker, claim, new Times(0, 0), null, List.of()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            notes.troubles.add(worker + " reported " + claim + " and was told: " + e.getMessage());
        } finally {
            renewedAt.remove(claim);
            pulse.live.decrementAndGet();
        }
    }

    /**
     * Returns true for a few claims that the worker neither carries out nor renews, as if it had died. Only their
     * leases can end them.
     */
    private boolean forgets(WorkClaim claim) {
        return claim.module().startsWith("free.")
                && ThreadLocalRandom.current().nextInt(FORGOTTEN_EVERY) == 0
                && pulse.forgotten.incrementAndGet() <= FORGOTTEN_MAX;
    }

    /**
     * Returns true if the claim is still live. A response that took long may have outlived the lease, so the worker
     * then sends a heartbeat before it begins.
     */
    private boolean stillOurs(WorkClaim claim) throws InterruptedException {
        long age = System.nanoTime() - renewedAt.getOrDefault(claim, 0L);
        if (age < LEASE_MILLIS * NANOS_PER_MILLI / 2) {
            return true;
        }
        long askedAt = System.nanoTime();
        var request = new Work.HeartbeatRequest(List.of(Work.Heartbeat.of(claim)));
        var result =
                pulse.untilAnswered(() -> client.heartbeat(request)).results().getFirst();
        renewedAt.put(claim, askedAt);
        return result.outcome().equals("extended");
    }

    private void report(String worker, WorkClaim claim) throws InterruptedException {
        var random = ThreadLocalRandom.current();
        String nonce = worker + "/" + UUID.randomUUID();
        long began = System.nanoTime();
        pulse.rest(random.nextInt(BODY_MIN_MILLIS, BODY_MAX_MILLIS + 1));
        var times = new Times(began, System.nanoTime());
        boolean fails = fails(claim);
        var update = fails
                ? ModuleStatusUpdate.failed(claim, nonce, false)
                : ModuleStatusUpdate.completed(
                        claim, JsonMapper.shared().createObjectNode().put("nonce", nonce));
        var request = new UpdateRequest(List.of(update));
        List<String> answers = new ArrayList<>();
        answers.add(answer(request));
        if (random.nextInt(REPEATED_EVERY) == 0) {
            answers.add(answer(request));
        }
        notes.bodies.add(body(worker, claim, times, nonce, answers));
        pulse.reported.incrementAndGet();
        if (!fails && APPLIED.contains(answers.getFirst())) {
            pulse.open(Load.task(claim.module()).workflow()).decrementAndGet();
        }
    }

    private String answer(UpdateRequest request) throws InterruptedException {
        return pulse.untilAnswered(() -> client.update(request))
                .results()
                .getFirst()
                .outcome();
    }

    private static boolean fails(WorkClaim claim) {
        return claim.attempt() == 1 && Load.task(claim.module()).failsFirst();
    }

    private record Times(long began, long ended) {}

    private static Notes.Body body(
            String worker,
            WorkClaim claim,
            Times times,
            @org.jspecify.annotations.Nullable String nonce,
            List<String> answers) {
        var unit = new Notes.Unit(claim.run(), claim.step(), claim.item() == null ? -1 : claim.item());
        return new Notes.Body(
                worker,
                claim.module(),
                unit,
                claim.fence(),
                claim.attempt(),
                times.began,
                times.ended,
                fails(claim),
                nonce,
                List.copyOf(answers));
    }

    /** Renews the claims that were not renewed for a third of their lease. */
    private void beat() {
        try {
            while (pulse.goesOn()) {
                long now = System.nanoTime();
                List<WorkClaim> due = renewedAt.entrySet().stream()
                        .filter(entry -> now - entry.getValue() > LEASE_MILLIS * NANOS_PER_MILLI / 3)
                        .map(Map.Entry::getKey)
                        .toList();
                if (!due.isEmpty()) {
                    var beats = due.stream().map(Work.Heartbeat::of).toList();
                    pulse.untilAnswered(() -> client.heartbeat(new Work.HeartbeatRequest(beats)));
                    due.forEach(claim -> renewedAt.computeIfPresent(claim, (ignored, before) -> now));
                }
                pulse.rest(REST_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            notes.troubles.add(name + " renewed its claims and was told: " + e.getMessage());
        }
    }
}
