package dev.weir.core.admission;

/** The lanes of a run that are parked because what they ask of the run, all the same, is more than it has. */
final class Shelf {
    final TicketSpec.Local demand;
    final Heap<Lane> lanes = new Heap<>();

    Shelf(TicketSpec.Local demand) {
        this.demand = demand;
    }
}
