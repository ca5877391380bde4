import { computed, signal } from "@preact/signals";

/** The page and what it shows. All of it is in the address, so that a link shows another person the same. */
export interface Address {
  /** The first part of the path: `flow-control`; empty for the overview. */
  page: string;
  query: URLSearchParams;
}

const href = signal(location.pathname + location.search);

export const here = computed<Address>(() => {
  const url = new URL(href.value, location.origin);
  return { page: url.pathname.replace(/^\/+|\/+$/g, ""), query: url.searchParams };
});

/** The value of a query parameter of the present address; empty if it has none. */
export function param(name: string): string {
  return here.value.query.get(name) ?? "";
}

/** Makes a link to a page: `linkTo("runs", { run: "order-12" })`. Empty values are left out. */
export function linkTo(page: string, query: Record<string, string | number | undefined> = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") {
      text.set(name, String(value));
    }
  }
  return `/${page}${text.size > 0 ? `?${text}` : ""}`;
}

/** Goes to an address; `replace` keeps the back button where it was. */
export function go(to: string, replace = false): void {
  if (to === href.peek()) {
    return;
  }
  const samePage = new URL(to, location.origin).pathname === location.pathname;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  href.value = to;
  if (!samePage) {
    window.scrollTo(0, 0);
  }
}

/** Changes query parameters of the present page; an empty value removes one. */
export function setParams(changes: Record<string, string | undefined>, replace = true): void {
  const query = new URLSearchParams(here.peek().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") {
      query.delete(name);
    } else {
      query.set(name, value);
    }
  }
  go(`/${here.peek().page}${query.size > 0 ? `?${query}` : ""}`, replace);
}

/** Follows links within the console without loading the page anew. */
export function followLinks(): void {
  window.addEventListener("popstate", () => {
    href.value = location.pathname + location.search;
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) {
      return;
    }
    const url = new URL(link.href);
    if (url.origin === location.origin && !/^\/(v1|health|metrics)(\/|$)/.test(url.pathname)) {
      event.preventDefault();
      go(url.pathname + url.search);
    }
  });
}
