package dev.weir.core.life;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The page of states, made from what the code allows; each move has a sentence of its own here. */
final class StatesPage {
    private static final String HEAD = """
            # States

            Made from `RunState` and `StepState` by `StatesPageTest`, which fails if this page does not say what the code
            allows. To make it anew: `mvn test -pl core -Dtest=StatesPageTest -Dstates.write=true`.
            """;

    private static final Map<String, String> RUN_MOVES = sentences("""
            queued → running: its limits have a place for it
            queued → paused: an operator stops it before it starts
            queued → cancelled: it is cancelled before it starts
            running → waiting: only a person, a signal or another run can take it further
            running → paused: an operator stops it, or a step failed whose `on_failure` is `pause`
            running → compensating: a step failed whose `on_failure` is `compensate`, and nothing runs any more
            running → completed: its last step has ended
            running → failed: a step has failed it, or its deadline was over, and nothing runs any more
            running → cancelled: it was cancelled, and nothing runs any more
            waiting → running: what it waited for has come
            waiting → paused: an operator stops it
            waiting → compensating: what it waited for has failed, and what was completed is to be undone
            waiting → completed: the last that it waited for has come
            waiting → failed: what it waited for has failed, or its deadline was over
            waiting → cancelled: it was cancelled
            paused → queued: an operator resumes it before it has started
            paused → running: an operator resumes it, or it is on its way to its end
            paused → completed: its last steps were running, and have ended
            paused → cancelled: it is cancelled before it has started
            compensating → failed: all that could be undone was undone, or tried
            compensating → cancelled: the same, in a run that was cancelled
            """);

    private static final Map<String, String> STEP_MOVES = sentences("""
            blocked → ready: all that it needs has ended
            blocked → waiting: it has a gate, sleeps, waits for a signal, or lacks input
            blocked → completed: its signal had come before, or the run that is retried has completed it
            blocked → failed: what it is to be given cannot be rendered
            blocked → cancelled: its run is to end
            blocked → skipped: its condition is not met, it is not among the targets, or an operator skips it
            ready → running: its limits admit it, and a worker takes it
            ready → waiting: its approval was revoked, or it failed and waits for an operator
            ready → completed: it has no items
            ready → failed: none of its items can be rendered
            ready → cancelled: its run is to end
            ready → skipped: an operator skips it
            requested → running: its limits admit it, and a worker takes it
            requested → failed: what it is to be given cannot be rendered
            requested → cancelled: its run is to end
            running → ready: its worker was silent for too long; it asks for its limits again
            running → requested: the same, of an item
            running → needs_input: its worker asks a person for input
            running → backing_off: the try has failed, or was put off by its worker
            running → waiting: for the run that it has invoked, for an operator, or for its output to be mended
            running → completed: its worker says so
            running → failed: the last try has failed
            running → cancelled: its worker has heeded the cancel, or did not in time
            needs_input → ready: it has given back what it held, has its input, and asks for its limits anew
            needs_input → requested: the same, of an item
            needs_input → running: it has its input, and the claim goes on with the next worker under a new fence
            needs_input → backing_off: its worker reports that the try has failed
            needs_input → waiting: it is abandoned, and waits for an operator, or its output is to be mended
            needs_input → completed: its worker reports so without having got the input
            needs_input → failed: it is abandoned
            needs_input → cancelled: its run is to end
            backing_off → ready: the pause is over
            backing_off → requested: the same, of an item
            backing_off → failed: what undoes a step is abandoned
            backing_off → cancelled: its run is to end
            backing_off → skipped: an operator skips it
            waiting → ready: it is approved, mended, or tried again by an operator
            waiting → running: an operator has its failed items tried again
            waiting → waiting: it is approved, and goes on to sleep or to wait for a signal
            waiting → completed: the time, the approval, the signal, the run or the output that it waited for has come
            waiting → failed: no signal came in time, the run that it invoked has failed, or its run ends before a remedy
            waiting → cancelled: its run is to end
            waiting → skipped: an operator skips it
            failed → requested: an operator has a failed item tried again, as long as its step has not ended
            """);

    private StatesPage() {}

    private static Map<String, String> sentences(String text) {
        Map<String, String> sentences = new LinkedHashMap<>();
        text.lines().map(line -> line.split(": ", 2)).forEach(parts -> sentences.put(parts[0], parts[1]));
        return sentences;
    }

    static String text() {
        return HEAD
                + section("Run", RunState.values(), RunState::next, RunState::meaning, RUN_MOVES)
                + section("Step and item", StepState.values(), StepState::next, StepState::meaning, STEP_MOVES);
    }

    private static <S extends Enum<S>> String section(
            String title,
            S[] states,
            Function<S, Set<S>> next,
            Function<S, String> meaning,
            Map<String, String> sentences) {
        var page = new StringBuilder("\n## " + title + "\n\nIt begins as `" + word(states[0]) + "`.\n\n");
        page.append("| state | what it is | leads to |\n|---|---|---|\n");
        for (S state : states) {
            List<String> words =
                    next.apply(state).stream().map(StatesPage::word).toList();
            String leads = words.isEmpty() ? "– (it has ended)" : "`" + String.join("`, `", words) + "`";
            page.append("| `" + word(state) + "` | " + meaning.apply(state) + " | " + leads + " |\n");
        }
        page.append("\n| move | when |\n|---|---|\n");
        for (S state : states) {
            for (S to : next.apply(state)) {
                String move = word(state) + " → " + word(to);
                page.append("| `" + move + "` | " + sentence(sentences, move) + " |\n");
            }
        }
        long moves = Arrays.stream(states)
                .mapToLong(state -> next.apply(state).size())
                .sum();
        if (moves != sentences.size()) {
            throw new AssertionError(
                    "expected a sentence for each of the " + moves + " moves, found " + sentences.size());
        }
        return page.toString();
    }

    private static String sentence(Map<String, String> sentences, String move) {
        String sentence = sentences.get(move);
        if (sentence == null) {
            throw new AssertionError("expected a sentence in StatesPage for " + move + ", found none");
        }
        return sentence;
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
