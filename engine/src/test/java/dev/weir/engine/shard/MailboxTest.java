package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.PauseRun;
import dev.weir.core.state.Attribution;
import dev.weir.engine.request.StartRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

@Tag("S9")
class MailboxTest {
    private static final int MEBIBYTE = 1024 * 1024;

    private final Mailbox mailbox = new Mailbox(Mailbox.BATCH_MAX);

    private static Message<?> command(String org) {
        return new CommandMessage<>(org, new PauseRun("r"), Attribution.PROGRAM, 0);
    }

    private static Message<?> start(String org, int chars) {
        var input = JsonNodeFactory.instance.stringNode("x".repeat(chars));
        return new StartMessage(org, StartRequest.of("r", "w", input), Attribution.PROGRAM, 0);
    }

    private static List<String> orgs(List<Message<?>> batch) {
        return batch.stream().map(message -> message.org).toList();
    }

    @Test
    void a_batch_has_two_thousand_messages_at_the_most_and_organisations_take_turns() {
        for (int i = 0; i < 2_100; i++) {
            mailbox.offer(command("a"));
        }
        mailbox.offer(command("b"));
        mailbox.offer(command("b"));
        List<String> first = orgs(mailbox.take(org -> Mailbox.BATCH_MAX));
        assertThat(first).hasSize(2_000).startsWith("a", "b", "a", "b", "a", "a");
        assertThat(mailbox.take(org -> Mailbox.BATCH_MAX)).hasSize(102);
        assertThat(mailbox.isEmpty()).isTrue();
    }

    @Test
    void a_batch_weighs_eight_mebibytes_at_the_most_unless_one_message_weighs_more() {
        for (int i = 0; i < 5; i++) {
            mailbox.offer(start("a", 3 * MEBIBYTE));
        }
        mailbox.offer(start("a", 9 * MEBIBYTE));
        List<Integer> sizes = new ArrayList<>();
        while (!mailbox.isEmpty()) {
            sizes.add(mailbox.take(org -> Mailbox.BATCH_MAX).size());
        }
        assertThat(sizes).containsExactly(2, 2, 1, 1);
    }

    @Test
    void messages_that_are_put_back_come_first_in_their_old_order() {
        List<Message<?>> all = List.of(command("a"), command("b"), command("a"), command("a"));
        all.forEach(mailbox::offer);
        List<Message<?>> taken = mailbox.take(org -> 1);
        assertThat(taken).containsExactly(all.get(0), all.get(1));
        mailbox.putBack(taken);
        assertThat(mailbox.takeAll("a")).containsExactly(all.get(0), all.get(2), all.get(3));
        assertThat(mailbox.takeAll()).containsExactly(all.get(1));
    }

    @Test
    void too_many_starts_of_one_organisation_are_refused_and_nothing_else_is() {
        for (int i = 0; i < Mailbox.NEW_WORK_MAX; i++) {
            assertThat(mailbox.offer(start("a", 1))).isTrue();
        }
        assertThat(mailbox.offer(start("a", 1))).isFalse();
        assertThat(mailbox.offer(start("b", 1))).isTrue();
        assertThat(mailbox.offer(command("a"))).isTrue();
    }

    @Test
    void reads_are_refused_before_reports_and_heartbeats_are() {
        for (int i = 0; i < Mailbox.READS_MAX; i++) {
            mailbox.offer(command("a"));
        }
        assertThat(mailbox.offer(new StateQueryMessage<>("b", (org, now) -> now, 0)))
                .isFalse();
        assertThat(mailbox.offer(start("b", 1))).isFalse();
        assertThat(mailbox.offer(command("b"))).isTrue();
    }
}
