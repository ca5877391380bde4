package dev.weir.cli.demo;

import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.Worker;
import dev.weir.server.LocalProfile;
import dev.weir.server.ServerNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A demonstration: three workflows, a worker for their modules, and runs. It uses the API as any client does. */
public final class Demo implements AutoCloseable {
    private static final List<String> WORKFLOWS = List.of("order_fulfillment", "image_batch", "tenant_report");

    private final Worker worker;
    private final DemoTraffic traffic;

    private Demo(Client client) {
        this.worker = DemoModules.start(client);
        this.traffic = new DemoTraffic(client);
    }

    /** Registers the workflows, starts the first runs, and keeps starting more until the demonstration is closed. */
    public static Demo start(ServerNode node) throws IOException, InterruptedException {
        LocalProfile profile = LocalProfile.find(node.data()).orElseThrow();
        Connection connection = Connection.to(node.url(), profile.token());
        String certificate = profile.certificate();
        Client client = new Client(certificate == null ? connection : connection.withCertificate(Path.of(certificate)));
        for (String workflow : WORKFLOWS) {
            client.apply(workflow, definition(workflow));
        }
        var demo = new Demo(client);
        try {
            demo.traffic.begin();
            return demo;
        } catch (InterruptedException | RuntimeException e) {
            demo.close();
            throw e;
        }
    }

    private static String definition(String workflow) throws IOException {
        try (var in = Objects.requireNonNull(Demo.class.getResourceAsStream(workflow + ".yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        traffic.close();
        worker.close();
    }
}
