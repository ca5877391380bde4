package dev.weir.engine.records;

/** Reads notices. Safe for use by many threads. */
public interface NoticeStore {
    /** The number of closed notices that are kept per organisation, the newest ones. */
    int CLOSED_MAX = 1_000;

    /** Notices, newest first. */
    RecordPage<NoticeRecord> notices(String org, NoticeFilter filter, PageRequest page);
}
