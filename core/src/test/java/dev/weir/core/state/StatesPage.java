package dev.weir.core.state;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Renders docs/STATES.md from the transitions that the code allows. The sentence for each transition is here. */
final class StatesPage {
    private static final String HEAD = """
            # States

            `StatesPageTest` generates this page from `RunState` and `StepState`, and fails if the page differs from the code. To
            regenerate it: `mvn test -pl core -Dtest=StatesPageTest -Dstates.write=true`.
            """;

    private static final Map<String, String> RUN_MOVES = sentences("""
            queued → running: its limits admit it
            queued → paused: an operator pauses it before it starts
            queued → cancelled: somebody cancels it before it starts
            running → waiting: only a person, a signal or another run can advance it
            running → paused: an operator pauses it, or a step with `on_failure: pause` fails
            running → compensating: a step with `on_failure: compensate` fails, and no step is running any more
            running → completed: its last step ends
            running → failed: a step fails the run or its deadline passes, and no step is running any more
            running → cancelled: somebody cancels it, and no step is running any more
            waiting → running: the person, signal or run that it waits for arrives
            waiting → paused: an operator pauses it
            waiting → compensating: a waiting step fails, and Weir undoes the completed steps
            waiting → completed: the last event that it waits for arrives
            waiting → failed: a waiting step fails, or its deadline passes
            waiting → cancelled: somebody cancels it
            paused → queued: an operator resumes it before it has started
            paused → running: an operator resumes it, or the run is ending
            paused → completed: its last steps were still running, and end
            paused → cancelled: somebody cancels it before it has started
            compensating → failed: Weir has tried to undo every completed step that has a compensation
            compensating → cancelled: the same, in a cancelled run
            """);

    private static final Map<String, String> STEP_MOVES = sentences("""
            blocked → ready: every step that it needs has ended
            blocked → waiting: it has a gate, sleeps, waits for a signal, or lacks input
            blocked → completed: its signal arrived earlier, or the run that this run retries has completed the step
            blocked → failed: its input cannot be rendered
            blocked → cancelled: its run is ending
            blocked → skipped: its condition is false, it is not a target of the run, or an operator skips it
            ready → running: its limits admit it, and a worker claims it
            ready → waiting: its approval is revoked, or it failed and waits for an operator
            ready → completed: it has no items
            ready → failed: none of its items can be rendered
            ready → cancelled: its run is ending
            ready → skipped: an operator skips it
            requested → running: its limits admit it, and a worker claims it
            requested → failed: its input cannot be rendered
            requested → cancelled: its run is ending
            running → ready: its lease expires; it goes through admission again
            running → requested: the same, for an item
            running → needs_input: its worker asks a person for input
            running → backing_off: the attempt fails, or its worker reschedules it
            running → waiting: it waits for the run that it invoked, for an operator, or for a correction of its output
            running → completed: its worker reports success
            running → failed: the last attempt fails
            running → cancelled: its worker stops after a cancel, or does not stop in time
            needs_input → ready: it had released its limits, receives its input, and goes through admission again
            needs_input → requested: the same, for an item
            needs_input → running: it receives its input, and the next worker continues the claim under a new fence
            needs_input → backing_off: its worker reports that the attempt failed
            needs_input → waiting: it is abandoned and waits for an operator, or its output needs a correction
            needs_input → completed: its worker reports success without the input
            needs_input → failed: it is abandoned
            needs_input → cancelled: its run is ending
            backing_off → ready: the retry delay is over
            backing_off → requested: the same, for an item
            backing_off → failed: somebody abandons the compensation
            backing_off → cancelled: its run is ending
            backing_off → skipped: an operator skips it
            waiting → ready: it is approved or corrected, or an operator retries it
            waiting → running: an operator retries its failed items
            waiting → waiting: it is approved, and then sleeps or waits for a signal
            waiting → completed: the time, approval, signal, run or output that it waits for arrives
            waiting → failed: no signal arrived in time, the invoked run failed, or its run ends before a correction
            waiting → cancelled: its run is ending
            waiting → skipped: an operator skips it
            failed → requested: an operator retries a failed item while its step has not ended
            """);

    private static final String STATUS = """

            ## The four words of a snapshot

            For tools that need less detail, the API shows a `status` beside the `state` of each step: one of four words. If a
            limit or a missing worker keeps a ready step from starting, the step is `held`. The `reason` of a running step is
            `already_running`.

            | status | states |
            |---|---|
            | `ready` | `ready`, `requested`, `running`, `needs_input` |
            | `blocked` | `blocked`, `backing_off`, `waiting` |
            | `complete` | `completed`, `skipped` |
            | `error` | `failed`, `cancelled` |
            """;

    private StatesPage() {}

    private static Map<String, String> sentences(String text) {
        Map<String, String> sentences = new LinkedHashMap<>();
        text.lines().map(line -> line.split(": ", 2)).forEach(parts -> sentences.put(parts[0], parts[1]));
        return sentences;
    }

    static String text() {
        return HEAD
                + section("Run", RunState.values(), RunState::next, RunState::meaning, RUN_MOVES)
                + section("Step and item", StepState.values(), StepState::next, StepState::meaning, STEP_MOVES)
                + STATUS;
    }

    private static <S extends Enum<S>> String section(
            String title,
            S[] states,
            Function<S, Set<S>> next,
            Function<S, String> meaning,
            Map<String, String> sentences) {
        var page = new StringBuilder("\n## " + title + "\n\nThe initial state is `" + word(states[0]) + "`.\n\n");
        page.append("| state | meaning | next states |\n|---|---|---|\n");
        for (S state : states) {
            List<String> words =
                    next.apply(state).stream().map(StatesPage::word).toList();
            String leads = words.isEmpty() ? "– (final)" : "`" + String.join("`, `", words) + "`";
            page.append("| `" + word(state) + "` | " + meaning.apply(state) + " | " + leads + " |\n");
        }
        page.append("\n| transition | when |\n|---|---|\n");
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
                    "expected a sentence for each of the " + moves + " transitions, found " + sentences.size());
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
