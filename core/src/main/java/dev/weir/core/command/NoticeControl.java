package dev.weir.core.command;

/** The notices of an organisation, as commands use them. */
public interface NoticeControl {
    /** Records that memory differed from the rows and was corrected. */
    void recordDifference(long now);
}
