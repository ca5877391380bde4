import type { ComponentChildren } from "preact";
import { Refused } from "../api/client";
import type { Resource } from "../live/resource";
import { Command } from "./text";

/** A bordered part of a page with a title. */
export function Panel({ title, children, id }: { title: string; children: ComponentChildren; id?: string }) {
  return (
    <section class="panel" aria-label={title} id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The reason why something failed, in the words of the node. */
export function Problem({ error }: { error: Error | undefined }) {
  if (!error) {
    return null;
  }
  const findings = error instanceof Refused ? (error.problem.errors ?? []) : [];
  return (
    <div class="problem" role="alert">
      <b>{error instanceof Refused ? error.problem.title : "No response"}</b>: {error.message}
      {findings.length > 0 && (
        <ul>
          {findings.map((finding, index) => (
            <li key={index}>
              {finding.line !== undefined && `line ${finding.line}, column ${finding.column}: `}
              {finding.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The text of a page without data: one sentence, and the command that changes that. */
export function EmptyState({ children, command }: { children: ComponentChildren; command?: string }) {
  return (
    <div class="empty-state">
      <p>{children}</p>
      {command && <Command text={command} />}
    </div>
  );
}

const GREY_BARS = 4;

/**
 * Shows loaded data: grey bars until the first load (after 200 ms), the problem beside old data when the latest load has
 * failed. A lost connection is shown once, by the frame.
 */
export function Loaded<T>({ from, children }: { from: Resource<T>; children: (data: T) => ComponentChildren }) {
  const data = from.data.value;
  const problem = from.problem.value;
  const refused = problem instanceof Refused ? problem : undefined;
  if (data === undefined) {
    return problem ? (
      <Problem error={problem} />
    ) : (
      <div aria-busy="true" aria-label="Loading">
        {Array.from({ length: GREY_BARS }, (_, index) => (
          <span class="grey" key={index} />
        ))}
      </div>
    );
  }
  return (
    <>
      <Problem error={refused} />
      {children(data)}
    </>
  );
}

/** Links between the parts of a page. */
export function Tabs({ label, tabs }: { label: string; tabs: { name: string; link: string; current: boolean }[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.name} href={tab.link} aria-current={tab.current ? "page" : undefined}>
          {tab.name}
        </a>
      ))}
    </nav>
  );
}
