package dev.weir.server.routes;

import dev.weir.engine.Weir;
import dev.weir.engine.call.Secrets;
import dev.weir.server.http.Routing;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Every path of the API, given to what answers it. */
public final class Api {
    private final Engine engine;
    private final Secrets secrets;
    private final Condition condition;
    private final PrometheusMeterRegistry meters;

    public Api(Weir weir, Secrets secrets, Condition condition, PrometheusMeterRegistry meters) {
        this.engine = new Engine(weir);
        this.secrets = secrets;
        this.condition = condition;
        this.meters = meters;
    }

    public void add(Routing routing) {
        new WorkflowRoutes(engine).add(routing);
        new StartRoutes(engine).add(routing);
        new RunRoutes(engine).add(routing);
        new StepRoutes(engine).add(routing);
        new RemedyRoutes(engine).add(routing);
        new WorkRoutes(engine, secrets).add(routing);
        new LogRoutes(engine).add(routing);
        new KeyRoutes(engine).add(routing);
        new OperationRoutes(engine, condition, meters).add(routing);
    }
}
