package dev.weir.core.command;

/** Resumes a suspended organisation. Everything that waited is admitted as its limits allow. Answers true if it was suspended. */
public record ResumeOrganisation(String organisation) implements OrganisationCommand<Boolean> {
    @Override
    public Boolean decide(OrganisationControls org, long now) {
        boolean wasSuspended = org.stops().suspension().isPresent();
        if (wasSuspended) {
            org.stops().changeSuspension(null, now);
        }
        return wasSuspended;
    }
}
