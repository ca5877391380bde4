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
final class WorkerPool {
    private static final int WORK_MIN_MILLIS = 50;
    private static final int WORK_MAX_MILLIS = 400;
    private static final int LEASE_MILLIS = 6_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int HEARTBEAT_CHECK_MILLIS = 1_000;
    /** One report out of this many is sent a second time after it was answered. */
    private static final int REPORTS_PER_REPEAT = 20;

    /** The number of claims that may share a row. */
    private static final int LARGE_POLL_CLAIMS = 24;

    private static final int CLAIMS_PER_FORGOTTEN = 40;
    private static final int FORGOTTEN_MAX = 8;

    /** The outcomes that say that a report counts. */
    static final Set<String> APPLIED = Set.of("applied", "replayed");

    private final String name;
    private final Client client;
    private final LoadState loadState;
    private final ClientLog clientLog;
    private final Map<WorkClaim, Long> renewedAt = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    WorkerPool(String name, Client client, LoadState loadState, ClientLog clientLog) {
        this.name = name;
        this.client = client;
        this.loadState = loadState;
        this.clientLog = clientLog;
    }

    /** Starts this many workers. One asks for many claims at once, and half of the others ask for two. */
    void start(int workers) {
        for (int i = 0; i < workers; i++) {
            int maxClaims = i == 0 ? LARGE_POLL_CLAIMS : 1 + i % 2;
            String worker = name + "-" + i;
            threads.add(Thread.ofVirtual().name(worker).start(() -> workLoop(worker, maxClaims)));
        }
        threads.add(Thread.ofVirtual().name(name + " heartbeats").start(this::heartbeatLoop));
    }

    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void workLoop(String worker, int maxClaims) {
        var modules = Load.modules().stream().map(ModuleInfo::of).toList();
        try {
            while (loadState.isRunning()) {
                var request = new ClaimRequest(
                        modules, null, null, maxClaims, "2s", LEASE_MILLIS + "ms", "" + UUID.randomUUID(), worker);
                long requestedAt = System.nanoTime();
                List<WorkClaim> claims = loadState
                        .retryUntilAnswered(() -> client.claim(request))
                        .claims();
                loadState.liveClaims.addAndGet(claims.size());
                List<Thread> attempts = new ArrayList<>();
                for (WorkClaim claim : claims) {
                    renewedAt.put(claim, requestedAt);
                    attempts.add(Thread.ofVirtual().start(() -> runClaim(worker, claim)));
                }
                for (Thread attempt : attempts) {
                    attempt.join();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            clientLog.problems.add(worker + " asked for work and was told: " + e.getMessage());
        }
    }

    private void runClaim(String worker, WorkClaim claim) {
        try {
            if (!isForgotten(claim) && isStillLive(claim)) {
                report(worker, claim);
            } else {
                clientLog.claims.add(claimRecord(worker, claim, new Times(0, 0), null, List.of()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            clientLog.problems.add(worker + " reported " + claim + " and was told: " + e.getMessage());
        } finally {
            renewedAt.remove(claim);
            loadState.liveClaims.decrementAndGet();
        }
    }

    /**
     * Returns true for a few claims that the worker neither carries out nor renews, as if it had died. Only their
     * leases can end them.
     */
    private boolean isForgotten(WorkClaim claim) {
        return claim.module().startsWith("free.")
                && ThreadLocalRandom.current().nextInt(CLAIMS_PER_FORGOTTEN) == 0
                && loadState.forgottenClaims.incrementAndGet() <= FORGOTTEN_MAX;
    }

    /**
     * Returns true if the claim is still live. A response that took long may have outlived the lease, so the worker
     * then sends a heartbeat before it begins.
     */
    private boolean isStillLive(WorkClaim claim) throws InterruptedException {
        long age = System.nanoTime() - renewedAt.getOrDefault(claim, 0L);
        if (age < LEASE_MILLIS * NANOS_PER_MILLI / 2) {
            return true;
        }
        long requestedAt = System.nanoTime();
        var request = new Work.HeartbeatRequest(List.of(Work.Heartbeat.of(claim)));
        var result = loadState
                .retryUntilAnswered(() -> client.heartbeat(request))
                .results()
                .getFirst();
        renewedAt.put(claim, requestedAt);
        return result.outcome().equals("extended");
    }

    private void report(String worker, WorkClaim claim) throws InterruptedException {
        var random = ThreadLocalRandom.current();
        String nonce = worker + "/" + UUID.randomUUID();
        long began = System.nanoTime();
        loadState.sleep(random.nextInt(WORK_MIN_MILLIS, WORK_MAX_MILLIS + 1));
        var times = new Times(began, System.nanoTime());
        boolean fails = fails(claim);
        var update = fails
                ? ModuleStatusUpdate.failed(claim, nonce, false)
                : ModuleStatusUpdate.completed(
                        claim, JsonMapper.shared().createObjectNode().put("nonce", nonce));
        var request = new UpdateRequest(List.of(update));
        List<String> answers = new ArrayList<>();
        answers.add(sendReport(request));
        if (random.nextInt(REPORTS_PER_REPEAT) == 0) {
            answers.add(sendReport(request));
        }
        clientLog.claims.add(claimRecord(worker, claim, times, nonce, answers));
        loadState.reportCount.incrementAndGet();
        if (!fails && APPLIED.contains(answers.getFirst())) {
            loadState.openSteps(Load.task(claim.module()).workflow()).decrementAndGet();
        }
    }

    private String sendReport(UpdateRequest request) throws InterruptedException {
        return loadState
                .retryUntilAnswered(() -> client.update(request))
                .results()
                .getFirst()
                .outcome();
    }

    private static boolean fails(WorkClaim claim) {
        return claim.attempt() == 1 && Load.task(claim.module()).failsFirst();
    }

    private record Times(long began, long ended) {}

    private static ClientLog.ClaimRecord claimRecord(
            String worker,
            WorkClaim claim,
            Times times,
            @org.jspecify.annotations.Nullable String nonce,
            List<String> answers) {
        var unit = new ClientLog.Unit(claim.run(), claim.step(), claim.item() == null ? -1 : claim.item());
        return new ClientLog.ClaimRecord(
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
    private void heartbeatLoop() {
        try {
            while (loadState.isRunning()) {
                long now = System.nanoTime();
                List<WorkClaim> due = renewedAt.entrySet().stream()
                        .filter(entry -> now - entry.getValue() > LEASE_MILLIS * NANOS_PER_MILLI / 3)
                        .map(Map.Entry::getKey)
                        .toList();
                if (!due.isEmpty()) {
                    var heartbeats = due.stream().map(Work.Heartbeat::of).toList();
                    loadState.retryUntilAnswered(() -> client.heartbeat(new Work.HeartbeatRequest(heartbeats)));
                    due.forEach(claim -> renewedAt.computeIfPresent(claim, (ignored, before) -> now));
                }
                loadState.sleep(HEARTBEAT_CHECK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the storm is over
        } catch (RequestFailed e) {
            clientLog.problems.add(name + " renewed its claims and was told: " + e.getMessage());
        }
    }
}
