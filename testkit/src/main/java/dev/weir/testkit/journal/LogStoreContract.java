package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.log.LogStore.AppendResult;
import dev.weir.engine.log.LogTail;
import dev.weir.engine.records.LoggedAttempt;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.request.StartRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** The promises of every log store. */
public abstract class LogStoreContract {
    private static final long LEASE = 30_000_000;
    private static final String YAML = """
            workflow: one
            steps: [{id: a, uses: m, retry: {max_attempts: 3, delay: 1ms}}]
            """;
    private static final String KEYED_YAML = """
            workflow: keyed
            steps:
              - {id: under_k, uses: under_k, flow_control: {key: k, parallelism: 5}}
              - {id: under_other, uses: under_other, flow_control: {key: "${{ 'oth' + 'er' }}", parallelism: 5}}
              - {id: free, uses: free}
            """;
    private static final UnitId UNIT = UnitId.of("r", "a");

    private String org = "";

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Weir weir;

    protected abstract Journal journal();

    /** The records of the same store. */
    protected abstract Records records();

    /** Creates a new organisation and returns its name. */
    protected abstract String newOrganisation();

    @BeforeEach
    void open() {
        org = newOrganisation();
        weir = Weir.open(journal(), records(), new EngineSettings("node"));
        weir.send(org, new RegisterWorkflow(WorkflowReader.read(YAML).orThrow()))
                .join();
        weir.start(org, StartRequest.of("r", "one", JsonNodeFactory.instance.objectNode()))
                .join();
    }

    @AfterEach
    void close() {
        weir.close();
    }

    private LogStore logs() {
        return weir.records().logs();
    }

    private long claim() {
        var work = new ClaimWork(UUID.randomUUID().toString(), "w", List.of(new ClaimWork.ServedModule("m")), 1, LEASE);
        Assignment assignment =
                weir.claim(org, work, Duration.ofSeconds(20)).join().getFirst();
        return assignment.claim().fence();
    }

    private void report(long fence, Update update) {
        assertThat(weir.send(org, new UpdateStep(UNIT, fence, update)).join()).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    private AppendResult appendLog(long fence, long from, String text) {
        return logs().append(org, new LogChunk(UNIT, fence, from, text));
    }

    private LogTail read(String after) {
        return logs().read(org, UNIT, null, after);
    }

    @Test
    void the_log_of_a_claim_can_be_read_while_it_runs_and_after_its_end() {
        assertThat(read("")).isEqualTo(new LogTail(0, "", false, "0.0"));
        long fence = claim();
        assertThat(appendLog(fence, 0, "one\n")).isEqualTo(AppendResult.KEPT);
        LogTail first = read("");
        assertThat(first).isEqualTo(new LogTail(1, "one\n", false, fence + ".4"));
        assertThat(appendLog(fence, 4, "zwei, drei: ä €\n")).isEqualTo(AppendResult.KEPT);
        assertThat(read(first.next()).text()).isEqualTo("zwei, drei: ä €\n");
        report(fence, new Update.NoOp());
        assertThat(read("").text()).isEqualTo("one\nzwei, drei: ä €\n");
        assertThat(read(read("").next()).text()).isEmpty();
    }

    @Test
    void repeated_log_text_is_kept_once_and_its_new_part_is_appended() {
        long fence = claim();
        appendLog(fence, 0, "abc");
        assertThat(appendLog(fence, 0, "abc")).isEqualTo(AppendResult.REPLAYED);
        assertThat(appendLog(fence, 1, "bc")).isEqualTo(AppendResult.REPLAYED);
        assertThat(appendLog(fence, 0, "abcdé")).isEqualTo(AppendResult.KEPT);
        assertThat(appendLog(fence, 2, "cdé!")).isEqualTo(AppendResult.KEPT);
        assertThat(read("").text()).isEqualTo("abcdé!");
    }

    @Test
    void a_worker_that_lost_its_claim_cannot_append() {
        assertThat(appendLog(1, 0, "before any claim")).isEqualTo(AppendResult.CLAIM_LOST);
        long fence = claim();
        assertThat(appendLog(fence + 1, 0, "a fence that is not there yet")).isEqualTo(AppendResult.CLAIM_LOST);
        appendLog(fence, 0, "first");
        report(fence, new Update.Failed("once more", false));
        assertThat(appendLog(fence, 5, "late")).isEqualTo(AppendResult.CLAIM_LOST);
        long next = claim();
        assertThat(appendLog(fence, 5, "later still")).isEqualTo(AppendResult.CLAIM_LOST);
        assertThat(appendLog(next, 0, "second")).isEqualTo(AppendResult.KEPT);
        assertThat(read("")).isEqualTo(new LogTail(2, "second", false, next + ".6"));
        assertThat(logs().read(org, UNIT, 1, "").text()).isEqualTo("first");
        assertThat(logs().read(org, UNIT, 7, "").text()).isEmpty();
        assertThat(logs().append(org, new LogChunk(UnitId.of("r", "nothing"), 1, 0, "x")))
                .isEqualTo(AppendResult.CLAIM_LOST);
        assertThat(logs().append(org, new LogChunk(UnitId.of("nobody", "a"), 1, 0, "x")))
                .isEqualTo(AppendResult.CLAIM_LOST);
    }

    @Test
    void a_reader_that_follows_gets_the_end_of_a_try_before_the_next_try() {
        long first = claim();
        appendLog(first, 0, "begin");
        String cursor = read("").next();
        appendLog(first, 5, ", end");
        report(first, new Update.Failed("once more", false));
        long second = claim();
        appendLog(second, 0, "second");
        LogTail rest = read(cursor);
        assertThat(rest).isEqualTo(new LogTail(1, ", end", false, first + ".10"));
        assertThat(read(rest.next())).isEqualTo(new LogTail(2, "second", false, second + ".6"));
        assertThat(read("")).isEqualTo(new LogTail(2, "second", false, second + ".6"));
    }

    @Test
    void only_the_end_of_a_long_log_is_kept() {
        long fence = claim();
        String kilobyte = "é".repeat(512);
        long from = 0;
        for (int i = 0; i < 100; i++) {
            appendLog(fence, from, kilobyte);
            from += 1_024;
        }
        LogTail tail = read("");
        assertThat(tail.text().getBytes(StandardCharsets.UTF_8)).hasSize(LogStore.BYTES_MAX);
        assertThat(tail.truncated()).isTrue();
        appendLog(fence, from, "x".repeat(LogStore.BYTES_MAX - 1));
        assertThat(read("").text()).startsWith("x").hasSize(LogStore.BYTES_MAX - 1);
        from += LogStore.BYTES_MAX - 1;
        for (int i = 0; i < LogStore.CHUNKS_MAX + 10; i++) {
            appendLog(fence, from++, "z");
        }
        assertThat(read("").text()).isEqualTo("z".repeat(LogStore.CHUNKS_MAX));
    }

    @Test
    void omitted_bytes_are_marked_in_the_log() {
        long fence = claim();
        appendLog(fence, 0, "one");
        appendLog(fence, 1_003, "two");
        assertThat(read("")).isEqualTo(new LogTail(1, "one\n[… 1000 bytes omitted …]\ntwo", true, fence + ".1006"));
    }

    @Test
    void an_invalid_log_chunk_or_cursor_is_refused() {
        assertThatThrownBy(() -> new LogChunk(UNIT, 1, 0, "a\0b")).hasMessageContaining("U+0000");
        assertThatThrownBy(() -> new LogChunk(UNIT, 1, 0, "")).hasMessageContaining("found 0");
        assertThatThrownBy(() -> new LogChunk(UNIT, 1, -1, "a")).hasMessageContaining("found -1");
        assertThatThrownBy(() -> new LogChunk(UNIT, 1, 0, "€".repeat(30_000))).hasMessageContaining("found 90000");
        assertThatThrownBy(() -> read("nonsense")).hasMessageContaining("such as 1.2048");
    }

    @Test
    void the_logs_of_a_key_are_those_of_its_steps_newest_run_first() {
        weir.send(org, new RegisterWorkflow(WorkflowReader.read(KEYED_YAML).orThrow()))
                .join();
        for (String run : List.of("first", "second", "third")) {
            weir.start(org, StartRequest.of(run, "keyed", JsonNodeFactory.instance.objectNode()))
                    .join();
            logAndFinish(run, "under_k");
            logAndFinish(run, "under_other");
            logAndFinish(run, "free");
        }
        assertThat(logsOfKey("k", "")).containsExactly("third/under_k", "second/under_k", "first/under_k");
        assertThat(logsOfKey("other", ""))
                .containsExactly("third/under_other", "second/under_other", "first/under_other");
        assertThat(logsOfKey("none", "")).isEmpty();
        RecordPage<LoggedAttempt> two = records().loggedAttempts(org, "k", new PageRequest("", 2));
        assertThat(two.entries()).hasSize(2);
        assertThat(two.entries().getFirst().end()).isEqualTo("log of third/under_k");
        assertThat(two.entries().getFirst().attempt()).isEqualTo(1);
        assertThat(two.entries().getFirst().truncated()).isFalse();
        assertThat(logsOfKey("k", two.next())).containsExactly("first/under_k");
        assertThatThrownBy(() -> logsOfKey("k", "nonsense")).isInstanceOf(IllegalArgumentException.class);
    }

    private List<String> logsOfKey(String key, String cursor) {
        return records().loggedAttempts(org, key, new PageRequest(cursor, 10)).entries().stream()
                .map(attempt -> attempt.unit().toString())
                .toList();
    }

    private void logAndFinish(String run, String step) {
        var work =
                new ClaimWork(UUID.randomUUID().toString(), "w", List.of(new ClaimWork.ServedModule(step)), 1, LEASE);
        Assignment assignment =
                weir.claim(org, work, Duration.ofSeconds(20)).join().getFirst();
        UnitId unit = UnitId.of(run, step);
        long fence = assignment.claim().fence();
        assertThat(assignment.claim().unit()).isEqualTo(unit);
        assertThat(logs().append(org, new LogChunk(unit, fence, 0, "log of " + unit)))
                .isEqualTo(AppendResult.KEPT);
        assertThat(weir.send(org, new UpdateStep(unit, fence, new Update.NoOp()))
                        .join())
                .isEqualTo(UpdateStep.Answer.APPLIED);
    }
}
