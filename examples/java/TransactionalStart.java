import dev.weir.core.state.Update;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.postgres.Inbox;
import dev.weir.postgres.PostgresDatabase;
import dev.weir.postgres.sql.DatabaseAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.json.JsonMapper;

/** An order and the run that ships it commit together, or not at all. Arguments: JDBC URL, user, password. */
public class TransactionalStart {
    public static void main(String[] args) throws Exception {
        var shipped = new CountDownLatch(1);
        var access = new DatabaseAddress(args[0], args[1], args[2]);
        try (var postgres = PostgresDatabase.open(access);
                var weir = Weir.open(postgres.journal(), postgres.records(), new EngineSettings("shop"))) {
            postgres.organisations().createOrganisation("shop");
            var shop = weir.organisation("shop");
            shop.register(WorkflowReader.read("{workflow: ship, steps: [{id: post, uses: post.parcel}]}").orThrow());
            shop.serve(ModuleInfo.of("post.parcel"), 4, claim -> {
                shipped.countDown();
                return new Update.Completed(JsonMapper.shared().readTree("{\"tracking\": 42}"));
            });
            try (var connection = access.connect("shop", Duration.ofSeconds(10));
                    var statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("create table if not exists public.orders (id text primary key)");
                statement.execute("insert into public.orders values ('order-1')");
                Inbox.startIn(connection, "shop", StartRequest.of("order-1", "ship", JsonMapper.shared().createObjectNode()));
                connection.commit(); // a rollback here would undo the order and the run alike
            }
            shipped.await();
            System.out.println("order-1 is on its way");
        }
    }
}
