package dev.weir.core.life;

/** Ends a poll that has waited long enough. The answer is true if it was still waiting. */
public record EndPoll(String request) implements Command<Boolean> {
    @Override
    public Boolean decide(Organisation org, long now) {
        return org.polls.leave(request, now);
    }
}
