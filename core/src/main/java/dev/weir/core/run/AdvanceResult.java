package dev.weir.core.run;

import dev.weir.core.command.Assignment;
import dev.weir.core.state.Move;
import java.util.List;

/** The result of an advance: the polls that it answered and the moves that it made. */
public record AdvanceResult(List<AnsweredPoll> answeredPolls, List<Move> moves) {
    /** A poll that is answered and therefore closed. */
    public record AnsweredPoll(String request, String worker, List<Assignment> assignments) {}
}
