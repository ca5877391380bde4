package dev.weir.simulator;

import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;

/** Counts the facts of one simulation and condenses them into a digest, so that two simulations can be compared. */
final class Trace {
    private long digest = 1;
    private int facts;

    void add(Fact fact) {
        facts++;
        mix(fact.getClass().getSimpleName().hashCode());
        mix(fact.at());
        switch (fact) {
            case Fact.Decided decided -> mixMove(decided.move());
            case Fact.PollOpened opened -> mix(opened.request().hashCode());
            case Fact.PollEnded ended -> mix(ended.request().hashCode());
            case Fact.Reported reported -> {
                mix(reported.unit().hashCode());
                mix(reported.fence());
                mix(reported.answer().name().hashCode());
            }
            case Fact.HeartbeatAnswered beaten -> mix(beaten.unit().hashCode());
            case Fact.WorkStarted started -> mix(started.unit().hashCode());
            case Fact.StartAnswered answered -> mix(answered.run().hashCode());
            case Fact.RowRemoved removed -> mix(removed.unit().hashCode());
            case Fact.WorkersUnreachable unheard -> mix(unheard.certain() ? 1 : 0);
            case Fact.Settled ignored -> {}
            case Fact.Rebuilt ignored -> {}
            case Fact.FaultsOff ignored -> {}
            case Fact.Drained ignored -> {}
        }
    }

    private void mixMove(Move move) {
        mix(move.getClass().getSimpleName().hashCode());
        switch (move) {
            case Move.Granted granted -> mixClaim(granted.claim());
            case Move.Released released -> {
                mix(released.unit().hashCode());
                mix(released.cause().name().hashCode());
            }
            case Move.StepMoved moved -> {
                mix(moved.row().id().hashCode());
                mix(moved.row().state().name().hashCode());
                mix(moved.row().due());
            }
            case Move.RunMoved moved -> mix(moved.row().state().name().hashCode());
            case Move.ItemCreated made -> mix(made.row().id().hashCode());
            case Move.StepPutAhead ahead -> mix(ahead.row().id().hashCode());
            case Move.OutputAmended amended -> mix(amended.row().id().hashCode());
            case Move.SignalKept kept -> mix(kept.signal().number());
            case Move.SignalTaken taken -> mix(taken.number());
            case Move.DeadlineNear near -> mix(near.deadlineAt());
            case Move.KeyHeld held -> mix(held.hold().until());
            case Move.OfEvent event -> mix(event.toString().hashCode());
            case Move.DeadLetterClosed closed -> mix(closed.number());
            case Move.NoticeOpened opened -> mix(opened.notice().toString().hashCode());
            case Move.NoticeClosed closed -> mix(closed.notice().number());
            case Move.RunChanged changed -> mix(changed.run().hashCode());
            case Move.StepChanged changed -> mix(changed.unit().hashCode());
            case Move.Resumed resumed -> mix(resumed.claim().fence());
            case Move.FenceRaised raised -> mix(raised.highest());
            case Move.ListeningRecorded noted -> mix(noted.spans().size());
            case Move.Extended extended -> mix(extended.until());
            case Move.RunAccepted accepted -> mix(accepted.row().number());
            case Move.RunHeld held -> mix(held.run().hashCode() + held.until());
            case Move.RunStopping stopping -> mix(stopping.run().hashCode());
            case Move.RunOverridden overridden -> mix(overridden.run().hashCode());
            case Move.KeyPinned pinned -> mix(pinned.pin().toString().hashCode());
            case Move.KeyUnpinned unpinned -> mix(unpinned.limit().text().hashCode());
            case Move.RunLimitsConfigured configured -> mix(configured.config().hashCode());
            case Move.KeyPaused paused -> mix(paused.limit().text().hashCode());
            case Move.KeyResumed resumed -> mix(resumed.limit().text().hashCode());
            case Move.RateReset reset -> mix(reset.limit().text().hashCode());
            case Move.WorkflowRegistered registered -> mix(registered.hash().hashCode());
            case Move.ModuleRegistered registered -> mix(registered.module().hashCode());
            case Move.TokenCreated created -> mix(created.token().hash().hashCode());
            case Move.TokenRevoked revoked -> mix(revoked.name().hashCode());
            case Move.TokenRotated rotated -> mix(rotated.token().hash().hashCode());
            case Move.DeadLettered dead -> mix(dead.letter().content().subject().hashCode());
            case Move.Audited audited -> mix(audited.entry().hash().hashCode());
            case Move.SecretStored stored -> mix(stored.secret().version());
            case Move.DeletionOrdered ordered -> mix(ordered.run().hashCode());
            case Move.SecretDeleted deleted -> mix(deleted.name().hashCode());
            case Move.AdministrationAudited audited -> mix(audited.change().hashCode());
            case Move.SuspensionChanged changed -> mix(changed.suspension() == null ? 0 : 1);
            case Move.AvailabilityChanged changed ->
                mix(changed.availability().word().hashCode());
        }
    }

    private void mixClaim(Claim claim) {
        mix(claim.unit().hashCode());
        mix(claim.fence());
        mix(claim.until());
    }

    private void mix(long value) {
        digest = (digest ^ value) * 0x9E3779B97F4A7C15L;
        digest ^= digest >>> 29;
    }

    long digest() {
        return digest;
    }

    int facts() {
        return facts;
    }
}
