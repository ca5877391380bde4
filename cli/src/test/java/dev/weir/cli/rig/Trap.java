package dev.weir.cli.rig;

/** Waits for commits, and does harm while they are in flight. Asked and told by the threads of connections. */
interface Trap {
    /** How far a commit gets. */
    enum Place {
        /** The server never hears of it. */
        HELD,
        /** The server was told, and its answer is lost. */
        FORWARDED,
        /** The server has committed, and its answer is lost. */
        ANSWERED
    }

    /** What the transaction has done that is about to be committed. */
    enum Wrote {
        NOTHING,
        ROWS,
        /** Rows, and events of claims among them. */
        CLAIMS
    }

    /** Whether this commit is one that it has waited for. */
    boolean springs(Wrote wrote);

    Place place();

    /** Called while the commit is where it is, on the thread of its connection, which is cut afterwards. */
    void spring(boolean serverAnswered);

    /** The connection is cut. */
    void over();
}
