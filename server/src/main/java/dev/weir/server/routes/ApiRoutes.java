package dev.weir.server.routes;

import dev.weir.engine.Weir;
import dev.weir.engine.secret.SecretSource;
import dev.weir.server.http.Routing;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Registers every path of the API, and those of the console. */
public final class ApiRoutes {
    private final EngineGateway engine;
    private final SecretSource secrets;
    private final OrganisationPorts organisations;
    private final NodeHealth nodeHealth;
    private final PrometheusMeterRegistry meters;

    public ApiRoutes(
            Weir weir,
            SecretSource secrets,
            OrganisationPorts organisations,
            NodeHealth nodeHealth,
            PrometheusMeterRegistry meters) {
        this.organisations = organisations;
        this.engine = new EngineGateway(weir);
        this.secrets = secrets;
        this.nodeHealth = nodeHealth;
        this.meters = meters;
        NodeGauges.register(weir, meters);
    }

    public void add(Routing routing) {
        routing.repeat(engine.answers()::check);
        // The server looks for a path in this order, so the most frequent ones come first.
        new StartRoutes(engine).add(routing);
        new WorkerRoutes(engine, secrets).add(routing);
        new OperationRoutes(engine, nodeHealth, meters).add(routing);
        new WorkflowRoutes(engine).add(routing);
        new RunLimitRoutes(engine).add(routing);
        new OrganisationStateRoutes(engine, organisations).add(routing);
        new WhatIfRoutes(engine).add(routing);
        new TriggerRoutes(engine).add(routing);
        new EventRoutes(engine).add(routing);
        new RunRoutes(engine).add(routing);
        var bulk = new BulkRoutes(engine);
        bulk.add(routing);
        new DeadLetterRoutes(engine, bulk).add(routing);
        new NoticeRoutes(engine).add(routing);
        new StepRoutes(engine).add(routing);
        new RunStepNowRoute(engine).add(routing);
        new RunInputRoutes(engine).add(routing);
        new LogRoutes(engine).add(routing);
        new KeyRoutes(engine).add(routing);
        new ModuleRoutes(engine).add(routing);
        new TokenRoutes(engine).add(routing);
        new OrganisationRoutes(engine, organisations).add(routing);
        new DeletionRoutes(engine, organisations).add(routing);
        new SecretRoutes(engine, organisations.secrets()).add(routing);
        new AuditRoutes(engine).add(routing);
        new LiveRoutes(engine).add(routing);
        new SessionRoutes(organisations.sessions()).add(routing);
        new ConsolePages().add(routing);
    }
}
