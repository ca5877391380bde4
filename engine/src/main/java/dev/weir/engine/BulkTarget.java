package dev.weir.engine;

import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.RunRecord;

/** A run or dead letter that an operation is about. */
public sealed interface BulkTarget {
    String id();

    record OfRun(RunRecord run) implements BulkTarget {
        @Override
        public String id() {
            return run.run();
        }
    }

    record OfDeadLetter(DeadLetterRecord found) implements BulkTarget {
        @Override
        public String id() {
            return String.valueOf(found.letter().number());
        }
    }
}
