package dev.weir.bench.database;

import java.io.IOException;
import java.sql.SQLException;

/** Something that takes no-op jobs from enqueue to done, each with a payload of 200 bytes and a result of 200 bytes. */
interface Contender extends AutoCloseable {
    String name();

    /** Does so many jobs, and comes back when all of them are done and durable. */
    void run(int jobs) throws Exception;

    /** How many jobs the rows say were done since the start. */
    long done() throws Exception;

    @Override
    void close() throws IOException, SQLException;
}
