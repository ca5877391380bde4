package dev.weir.core.command;

import dev.weir.core.state.NoticeSettings;

/** The notices of an organisation, as commands use them. */
public interface NoticeControl {
    /** Sets the thresholds. Without them, no notice is issued or closed. */
    void configure(NoticeSettings settings);

    /** Records that memory differed from the rows and was corrected. */
    void recordDifference(long now);
}
