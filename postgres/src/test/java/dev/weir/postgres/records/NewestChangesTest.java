package dev.weir.postgres.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Command;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.postgres.TestPostgres;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("R4.8")
@Timeout(120)
class NewestChangesTest {
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private static final LimitId.Key OTHER = new LimitId.Key("other");

    @Test
    void the_newest_change_of_each_target_is_found_and_those_of_other_organisations_are_not() throws Exception {
        String org = TestPostgres.createOrganisation();
        String stranger = TestPostgres.createOrganisation();
        try (Weir weir = open()) {
            send(weir, org, new PauseKey(KEY, Moment.NEVER), "first");
            send(weir, org, new ResumeKey(KEY), "not asked for");
            send(weir, org, new PauseKey(KEY, Moment.NEVER), "second");
            send(weir, org, new PauseKey(OTHER, Moment.NEVER), "third");
            send(weir, stranger, new PauseKey(KEY, Moment.NEVER), "somebody else's");
        }
        List<AuditEntry> newest = TestPostgres.postgres()
                .records()
                .audit()
                .newest(org, List.of("pause_key", "pin_key"), List.of(KEY.text(), OTHER.text()));

        assertThat(newest).extracting(entry -> entry.by().reason()).containsExactlyInAnyOrder("second", "third");
    }

    private static Weir open() {
        var postgres = TestPostgres.postgres();
        return Weir.open(postgres.journal(), postgres.records(), new EngineSettings("newest"));
    }

    private static void send(Weir weir, String org, Command<?> command, String reason) throws Exception {
        weir.send(org, command, new Attribution("ann", ChangeOrigin.CLI, "req", reason))
                .get(60, TimeUnit.SECONDS);
    }
}
