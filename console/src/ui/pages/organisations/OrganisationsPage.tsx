import { EmptyState } from "../../parts/panels";

/** Organisations of the node. */
export function OrganisationsPage() {
  return <EmptyState command="weir orgs list">This page is not built yet.</EmptyState>;
}
