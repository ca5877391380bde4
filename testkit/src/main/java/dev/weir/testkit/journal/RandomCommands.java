package dev.weir.testkit.journal;

import dev.weir.core.command.AbandonStep;
import dev.weir.core.command.AmendInput;
import dev.weir.core.command.AmendOutput;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.CreateToken;
import dev.weir.core.command.DeleteSecret;
import dev.weir.core.command.ExtendDeadline;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.ReceiveEvent;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.ResetRate;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.ResumeOrganisation;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.RevokeApproval;
import dev.weir.core.command.RevokeToken;
import dev.weir.core.command.RotateToken;
import dev.weir.core.command.RunStepNow;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.SetSecret;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.TokenScope;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.core.state.WorkflowAvailability;
import dev.weir.engine.journal.PastRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Chooses the next command of a random life. */
final class RandomCommands {
    static final long SECOND = 1_000_000;
    private static final long LEASE = 30 * SECOND;
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private static final JsonMapper JSON = JsonMapper.shared();
    /** Characters that stores have trouble with. */
    private static final String DIFFICULT_TEXT = "\u0000 \uD83D\uDE00 \u2028 \\ \" ' {}";

    /** A module whose workers poll before anything is ready. They get work in the transaction that makes it ready. */
    static final ClaimWork.ServedModule QUICK = new ClaimWork.ServedModule("q");

    private final Random random;
    private final IntFunction<Plan> plans;
    private final Function<String, Optional<PastRun>> pastRuns;
    private final List<Assignment> assignments = new ArrayList<>();
    private int started;
    private int requests;
    private int signals;
    private int tokens;
    private int events;
    /** Keeps hashes apart: all organisations of a store share one namespace of tokens. */
    private final UUID tokenSalt = UUID.randomUUID();

    private int versions = 1;
    private boolean suspended;

    /**
     * Creates a source of commands.
     *
     * @param plans the newest plan of each workflow of {@link RandomDefinitions}
     * @param pastRuns finds runs that have ended
     */
    RandomCommands(Random random, IntFunction<Plan> plans, Function<String, Optional<PastRun>> pastRuns) {
        this.random = random;
        this.plans = plans;
        this.pastRuns = pastRuns;
    }

    void addAssignments(List<Assignment> added) {
        assignments.addAll(added);
    }

    Command<?> next(long now) {
        if (suspended && random.nextInt(4) == 0) {
            suspended = false;
            return new ResumeOrganisation("acme");
        }
        return switch (random.nextInt(24)) {
            case 0, 1, 2 -> start();
            case 3 -> startOrRetry();
            case 4, 5, 6, 7, 8 -> claim();
            case 9, 10, 11, 12, 13, 14 -> report();
            case 15 -> heartbeat();
            case 16 -> receive();
            case 17 ->
                new CancelRun(
                        randomRun(),
                        random.nextBoolean() ? null : CancelPolicy.CANCEL_RUNNING,
                        "tired " + DIFFICULT_TEXT);
            case 18, 19 -> operateRun(now);
            case 20 -> operateKey(now);
            case 21, 22 -> personCommand(now);
            default ->
                switch (random.nextInt(6)) {
                    case 0, 1 -> changeToken(now);
                    case 2 -> stopOrOpen();
                    case 3 -> changeSecret();
                    default -> register();
                };
        };
    }

    private Command<?> changeSecret() {
        String name = "S" + random.nextInt(3);
        return random.nextInt(4) == 0
                ? new DeleteSecret(name)
                : new SetSecret(name, "sealed " + random.nextInt(), "key" + random.nextInt(2));
    }

    private Command<?> stopOrOpen() {
        if (random.nextInt(3) == 0) {
            suspended = true;
            return new SuspendOrganisation("acme", "unpaid " + DIFFICULT_TEXT);
        }
        String workflow = plans.apply(random.nextInt(RandomDefinitions.DEFINITIONS.size()))
                .workflow()
                .name();
        boolean opens = random.nextInt(3) > 0;
        return new SetWorkflowAvailability(workflow, opens ? WorkflowAvailability.OPEN : WorkflowAvailability.PAUSED);
    }

    private Command<?> startOrRetry() {
        String old = randomRun();
        Optional<PastRun> ended = pastRuns.apply(old);
        return ended.isPresent()
                ? new RetryRun(
                        RetryRun.nextRetryId(old),
                        ended.get().row(),
                        ended.get().steps())
                : start();
    }

    private StartRun start() {
        int index = random.nextInt(3) == 0
                ? RandomDefinitions.QUICK_INDEX
                : random.nextInt(RandomDefinitions.DEFINITIONS.size());
        String input = "{\"k\": \"key-" + random.nextInt(2) + "\", \"n\": " + random.nextInt(7) + ", \"d\": 1.5}";
        var labels = new TreeMap<String, String>();
        if (random.nextBoolean()) {
            labels.put("colour", random.nextBoolean() ? "red" : "blue");
        }
        List<FlowControl> keys =
                random.nextInt(5) == 0 ? List.of(FlowControl.parallelism("own-${{ input.k }}", 1)) : null;
        started++;
        var options = new RunRequest.Options(random.nextInt(5) == 0 ? 3 * SECOND : 0, List.of());
        return new StartRun(new RunRequest(
                "r" + started,
                plans.apply(index),
                json(input),
                random.nextInt(5) - 2,
                keys,
                labels,
                options,
                random.nextInt(5) == 0 ? new RunLineage("r0", UnitId.of("p", "s"), "root", 2) : RunLineage.NONE));
    }

    private Command<?> claim() {
        requests++;
        if (random.nextInt(4) == 0) {
            return new ClaimSteps("q" + requests, "w", randomRun(), Set.of(), Set.of(), 1 + random.nextInt(3), LEASE);
        }
        ConcurrencyProfile profile =
                random.nextInt(6) == 0 ? new ConcurrencyProfile(1 + random.nextInt(2), false) : null;
        if (random.nextInt(3) == 0) {
            return new ClaimWork(
                    "q" + requests,
                    "quick " + DIFFICULT_TEXT.substring(1),
                    List.of(QUICK),
                    1 + random.nextInt(3),
                    LEASE);
        }
        var serves = List.of(new ClaimWork.ServedModule("m", profile));
        return new ClaimWork("q" + requests, "worker \uD83D\uDE00", serves, 1 + random.nextInt(4), LEASE);
    }

    private Command<?> report() {
        if (assignments.isEmpty()) {
            return claim();
        }
        Claim claim = recentAssignment().claim();
        Update update = switch (random.nextInt(8)) {
            case 0 -> new Update.Failed("e" + random.nextInt(2) + DIFFICULT_TEXT, false);
            case 1 -> new Update.Failed("no", true, random.nextInt(2) * random.nextLong(20 * SECOND));
            case 2 -> new Update.Rescheduled(random.nextLong(5 * SECOND));
            case 3 -> new Update.NoOp();
            case 4 -> new Update.NeedsInput(json("{\"ask\": \"colour?\"}"));
            default -> new Update.Completed(output());
        };
        return new UpdateStep(claim.unit(), claim.fence(), update);
    }

    private JsonNode output() {
        return switch (random.nextInt(4)) {
            case 0 -> json("null");
            case 1 -> json("[1, 2.5, 12345678901234567890, {\"a\": false}]");
            case 2 -> JSON.createObjectNode().put(DIFFICULT_TEXT, DIFFICULT_TEXT);
            default -> json("" + random.nextInt(3));
        };
    }

    private Command<?> heartbeat() {
        if (assignments.isEmpty()) {
            return claim();
        }
        Claim claim = recentAssignment().claim();
        return new Heartbeat(claim.unit(), claim.fence());
    }

    private Command<?> operateRun(long now) {
        return switch (random.nextInt(6)) {
            case 0 -> new PauseRun(randomRun());
            case 1, 2 -> new ResumeRun(randomRun());
            case 3, 4 -> override(now);
            default -> OverrideRun.replacing(randomRun(), null, null);
        };
    }

    private OverrideRun override(long now) {
        long until = random.nextInt(4) == 0 ? Moment.NEVER : now + random.nextLong(20 * SECOND);
        var values = new OverrideRun.Values(change(3), change(4), until, random.nextInt(4) == 0);
        return new OverrideRun(randomRun(), values);
    }

    private FieldChange<Integer> change(int max) {
        return switch (random.nextInt(4)) {
            case 0 -> new FieldChange.Keep<>();
            case 1 -> new FieldChange.Clear<>();
            default -> new FieldChange.Replace<>(1 + random.nextInt(max));
        };
    }

    private Command<?> operateKey(long now) {
        long until = random.nextInt(4) == 0 ? Moment.NEVER : now + random.nextLong(20 * SECOND);
        return switch (random.nextInt(6)) {
            case 0 -> new PauseKey(KEY, now + random.nextLong(20 * SECOND));
            case 1 -> new ResumeKey(KEY);
            case 2 -> {
                FieldChange<Integer> rate = random.nextBoolean() ? new FieldChange.Keep<>() : new FieldChange.Clear<>();
                yield new PinKey(
                        KEY,
                        new PinKey.Values(change(3), rate, new FieldChange.Keep<>(), new FieldChange.Keep<>(), until));
            }
            case 3 -> configureRunLimits(until);
            case 4 -> new UnpinKey(KEY);
            default -> new ResetRate(new LimitId.Key("key-1"));
        };
    }

    private Command<?> configureRunLimits(long until) {
        var note = random.nextBoolean()
                ? ConfigureRunLimits.Note.NONE
                : new ConfigureRunLimits.Note("ada", "backlog " + DIFFICULT_TEXT);
        LimitId.Runs limit = random.nextBoolean() ? new LimitId.WorkflowRuns("each") : new LimitId.OrgRuns();
        FieldChange<Integer> perKey = limit instanceof LimitId.WorkflowRuns ? change(3) : new FieldChange.Keep<>();
        FieldChange<Long> debounce =
                random.nextBoolean() ? new FieldChange.Keep<>() : new FieldChange.Replace<>(random.nextLong(1, SECOND));
        var values = new ConfigureRunLimits.Values(
                change(9), change(90), perKey, change(20), change(500), debounce, note, until);
        return new ConfigureRunLimits(limit, values, null);
    }

    /** Returns a command with which a person changes a single step or a run. */
    private Command<?> personCommand(long now) {
        return switch (random.nextInt(10)) {
            case 5 -> signal();
            case 6 -> new AmendInput(randomRun(), json("{\"k\": \"key-1\", \"n\": 2, \"must\": true}"));
            case 7 -> new AmendOutput(randomRun(), "make", json("{\"id\": 7}"), "ada");
            case 8 -> new ExtendDeadline(randomRun(), now + random.nextLong(600 * SECOND));
            case 0 ->
                new ApproveStep(randomRun(), "last", "ada", random.nextBoolean() ? null : "fine " + DIFFICULT_TEXT);
            case 1 -> new RevokeApproval(randomRun(), "last", "bob", null);
            case 2 -> new SkipStep(randomRun(), random.nextBoolean() ? "skip" : "last");
            case 3 -> new AbandonStep(claimedUnit(), "ada", "enough");
            case 9 -> new RunStepNow(UnitId.of(randomRun(), random.nextBoolean() ? "make" : "last"));
            default -> new ProvideInput(claimedUnit(), json("{\"colour\": \"red\"}"));
        };
    }

    private SendSignal signal() {
        signals++;
        return new SendSignal(
                randomRun(),
                random.nextInt(4) == 0 ? null : signals + DIFFICULT_TEXT.substring(1),
                "go",
                json("{\"by\": 1}"));
    }

    private ReceiveEvent receive() {
        events++;
        return new ReceiveEvent(
                "event " + events + DIFFICULT_TEXT.substring(1),
                "told",
                random.nextBoolean() ? null : "source",
                json("{\"n\": " + random.nextInt(3) + "}"),
                random.nextBoolean() ? null : "correlation",
                "ada",
                null);
    }

    private Command<?> changeToken(long now) {
        String name = "token " + random.nextInt(3);
        tokens++;
        String hash = String.format(
                "%016x%016x%032x", tokenSalt.getMostSignificantBits(), tokenSalt.getLeastSignificantBits(), tokens);
        var source = new TokenRow.Source("ada \uD83D\uDE00", "request " + tokens);
        return switch (random.nextInt(4)) {
            case 0 -> new RevokeToken(name, Rights.ALL);
            case 1 -> new RotateToken(name, hash, random.nextLong(20 * SECOND), Rights.ALL, source);
            default -> {
                long expiresAt = random.nextBoolean() ? Moment.NEVER : now + 1 + random.nextLong(60 * SECOND);
                var rights = new Rights(Role.WORKER, Set.of(TokenScope.RATE_LIMITS_MANAGE), random.nextBoolean());
                yield new CreateToken(new TokenRow(name, hash, rights, now, expiresAt, source), Rights.ALL);
            }
        };
    }

    private Command<?> register() {
        versions++;
        return new RegisterWorkflow(
                RandomDefinitions.workflow(random.nextInt(RandomDefinitions.DEFINITIONS.size()), versions));
    }

    /** Returns a unit that was claimed at some time. */
    private UnitId claimedUnit() {
        return assignments.isEmpty()
                ? UnitId.of(randomRun(), "a")
                : recentAssignment().claim().unit();
    }

    /** Returns an assignment, with a preference for recent ones. */
    private Assignment recentAssignment() {
        int newer = random.nextInt(1 + random.nextInt(assignments.size()));
        return assignments.get(assignments.size() - 1 - newer);
    }

    private String randomRun() {
        return "r" + (started < 2 ? 1 : 1 + random.nextInt(started));
    }

    private static JsonNode json(String text) {
        return JSON.readTree(text);
    }
}
