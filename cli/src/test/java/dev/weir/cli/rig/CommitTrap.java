package dev.weir.cli.rig;

/** Waits for commits, and injects a fault while they are in flight. The threads of connections call it. */
interface CommitTrap {
    /** The point that a commit reaches. */
    enum CommitPoint {
        /** The server never receives the commit. */
        HELD,
        /** The server has received the commit, and its answer is lost. */
        FORWARDED,
        /** The server has committed, and its answer is lost. */
        ANSWERED
    }

    /** The writes of the transaction that is about to be committed. */
    enum TransactionWrites {
        NOTHING,
        ROWS,
        /** Rows, including events of claims. */
        CLAIMS
    }

    /** Returns true if the trap waits for this commit. */
    boolean matches(TransactionWrites writes);

    CommitPoint commitPoint();

    /** Called on the thread of the connection while the commit is at its place. The connection is cut afterwards. */
    void trigger(boolean serverAnswered);

    /** Called when the connection has been cut. */
    void connectionClosed();
}
