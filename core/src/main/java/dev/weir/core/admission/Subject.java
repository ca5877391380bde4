package dev.weir.core.admission;

/** What a ticket, holding or poll stands for: a step, an item, a run, a worker's request. Admission hands it back. */
public interface Subject {}
