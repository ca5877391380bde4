package dev.weir.bench.database;

import java.io.IOException;
import java.sql.SQLException;

/** A system that runs no-op jobs from enqueue to done, each with a payload of 200 bytes and a result of 200 bytes. */
interface Contender extends AutoCloseable {
    String name();

    /** Runs the given number of jobs, and returns when all of them are done and durable. */
    void run(int jobs) throws Exception;

    /** The number of jobs that are done since the start, according to the rows. */
    long done() throws Exception;

    @Override
    void close() throws IOException, SQLException;
}
