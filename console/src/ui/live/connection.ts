import { computed, signal } from "@preact/signals";

/** True while the user wants live updates; otherwise nothing on the page moves. */
export const live = signal(true);

/** When the node stopped responding; 0 while it responds. */
export const lostSince = signal(0);

/** True while the tab is visible; hidden pages send no requests. */
export const visible = signal(!document.hidden);

export const status = computed(() => (lostSince.value > 0 ? "lost" : live.value ? "live" : "paused"));

/** The lead of the node's clock over this computer's, in milliseconds; 0 if they agree to about two seconds. */
let clockAhead = 0;

const CLOCKS_AGREE_MS = 2_000;
const CLOCK_INTERVAL_MS = 1_000;

/** The node's time. It advances once a second, and stands still while updates are paused. */
export const now = signal(Date.now());

/** The node's time at this moment. */
export function nodeTime(): number {
  return Date.now() + clockAhead;
}

export function reportReached(date: string | null): void {
  lostSince.value = 0;
  const told = date === null ? NaN : Date.parse(date);
  if (!Number.isNaN(told)) {
    const ahead = told - Date.now();
    clockAhead = Math.abs(ahead) > CLOCKS_AGREE_MS ? ahead : 0;
  }
}

export function reportUnreachable(): void {
  if (lostSince.value === 0) {
    lostSince.value = Date.now();
  }
}

export function toggleLive(): void {
  live.value = !live.value;
}

document.addEventListener("visibilitychange", () => {
  visible.value = !document.hidden;
});

setInterval(() => {
  if (live.value && visible.value) {
    now.value = nodeTime();
  }
}, CLOCK_INTERVAL_MS);
