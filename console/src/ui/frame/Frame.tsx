import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { here } from "../address";
import { may, session, signOut } from "../api/session";
import { lostSince, now, status, toggleLive } from "../live/connection";
import { Menu } from "../parts/menu";
import { Messages } from "../parts/messages";
import { steadyDuration } from "../words/times";
import { useAttention } from "./attention";
import { InvariantsBadge } from "./InvariantsBadge";
import { ENTRIES } from "./navigation";
import { openPalette, Palette } from "./Palette";
import { followShortcuts, Shortcuts } from "./Shortcuts";

const STATUS_WORDS = { live: "● live", paused: "‖ paused", lost: "○ reconnecting" } as const;

/** The frame of every page: the navigation, the title, the search, and the sign of live updates. */
export function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  const attention = useAttention();
  useEffect(followShortcuts, []);
  useEffect(() => {
    document.title = `${title} · Weir`;
  }, [title]);
  const page = here.value.page;
  useEffect(() => {
    document.querySelector(".side [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [page]);
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={skipToPage}>
        Skip to the page
      </a>
      <aside class="side" aria-label="Weir">
        <a class="brand" href="/">
          <b aria-hidden="true">▚</b> weir
        </a>
        <nav aria-label="Pages">
          {ENTRIES.filter((entry) => may(entry.needs ?? "read")).map((entry) => (
            <>
              {entry.apart && <hr />}
              <a key={entry.page} href={`/${entry.page}`} aria-current={page === entry.page ? "page" : undefined}>
                {entry.name}
                {attention[entry.page] && (
                  <span class={attention[entry.page]?.critical ? "attention critical" : "attention"}>
                    {attention[entry.page]?.count}
                    <span class="sr"> need attention</span>
                  </span>
                )}
              </a>
            </>
          ))}
        </nav>
        <div class="foot">
          <InvariantsBadge />
        </div>
      </aside>
      <div class="column">
        <header class="top">
          <h1>{title}</h1>
          <button type="button" class="search-button" onClick={openPalette} aria-label="Search runs, keys and workflows">
            <span>
              / search<span class="words"> runs, keys, …</span>
            </span>
          </button>
          <button
            type="button"
            class={`live status-${status.value}`}
            onClick={toggleLive}
            title={status.value === "paused" ? "Show live updates again" : "Pause live updates"}
          >
            {STATUS_WORDS[status.value]}
          </button>
          <Menu
            label={session.value?.organisation ?? ""}
            entries={[{ name: `Sign out ${session.value?.token.name ?? ""}`, onChoose: () => void signOut() }]}
          />
        </header>
        <LostNote />
        <main id="content" class="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Palette />
      <Shortcuts />
      <Messages />
    </div>
  );
}

/** Moves the focus past the navigation. The browser would do so by itself if links were not followed within the page. */
function skipToPage(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** Says that the figures are old while the node does not respond. */
function LostNote() {
  if (lostSince.value === 0) {
    return null;
  }
  return (
    <p class="problem lost" role="alert">
      <b>The node does not respond.</b> What you see is {steadyDuration(Math.max(now.value, Date.now()) - lostSince.value)} old. The page
      tries again by itself.
    </p>
  );
}
