import { render } from "preact";
import type { ComponentType } from "preact";
import { followLinks, here } from "./address";
import { findSession, may, session } from "./api/session";
import { Frame } from "./frame/Frame";
import { ENTRIES } from "./frame/navigation";
import { SignIn } from "./frame/SignIn";
import { followStream } from "./live/stream";
import { AuditPage } from "./pages/audit/AuditPage";
import { DeadLettersPage } from "./pages/dead-letters/DeadLettersPage";
import { EventsPage } from "./pages/events/EventsPage";
import { FlowControlPage } from "./pages/flow-control/FlowControlPage";
import { LimitsPage } from "./pages/limits/LimitsPage";
import { NoticesPage } from "./pages/notices/NoticesPage";
import { OrganisationsPage } from "./pages/organisations/OrganisationsPage";
import { OverviewPage } from "./pages/overview/OverviewPage";
import { RunsPage } from "./pages/runs/RunsPage";
import { SecretsPage } from "./pages/secrets/SecretsPage";
import { TokensPage } from "./pages/tokens/TokensPage";
import { WorkersPage } from "./pages/workers/WorkersPage";
import { WorkflowsPage } from "./pages/workflows/WorkflowsPage";
import { EmptyState } from "./parts/panels";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/frame.css";
import "./styles/records.css";
import "./styles/workflows.css";
import "./styles/limits.css";
import "./styles/flow-control.css";

/** The page behind each entry of the navigation. */
const PAGES: Record<string, ComponentType> = {
  "": OverviewPage,
  runs: RunsPage,
  "flow-control": FlowControlPage,
  limits: LimitsPage,
  workflows: WorkflowsPage,
  workers: WorkersPage,
  events: EventsPage,
  "dead-letters": DeadLettersPage,
  notices: NoticesPage,
  audit: AuditPage,
  tokens: TokensPage,
  secrets: SecretsPage,
  organisations: OrganisationsPage,
};

function Console() {
  if (session.value === undefined) {
    return null;
  }
  if (session.value === null) {
    return <SignIn />;
  }
  const page = here.value.page;
  const Page = PAGES[page];
  const entry = ENTRIES.find((one) => one.page === page);
  const needs = entry?.needs ?? "read";
  return (
    <Frame title={entry?.name ?? "Page not found"}>
      {!may(needs) ? (
        <EmptyState>
          Your token ({session.value.role}) may not see this page. It needs the permission <code>{needs}</code>: ask an administrator of your
          organisation for another token.
        </EmptyState>
      ) : Page ? (
        <Page key={page} />
      ) : (
        <EmptyState>
          There is no page /{page}. Go to the <a href="/">overview</a>.
        </EmptyState>
      )}
    </Frame>
  );
}

followLinks();
followStream();
void findSession();
render(<Console />, document.getElementById("console")!);
