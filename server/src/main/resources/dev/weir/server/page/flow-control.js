// The FlowControl page: lists flow-control keys from the public API and refreshes itself. It writes all data with
// textContent, because keys, runs and reasons are chosen by users.

const REFRESH_MS = 2000;
const REQUEST_TIMEOUT_MS = 15000;
const KEYS_MAX = 200;
const DETAIL_ROWS_MAX = 10;
const NOTICES_MAX = 10;
const TOKEN = "weir.token";
const FIRST_COMMAND = "weir apply examples/rate-limited-api.yaml";

const byId = (id) => document.getElementById(id);
const numbers = new Intl.NumberFormat("en");

/** Rows on the page, by key: their cells are updated in place, so that focus and selection survive a refresh. */
const rows = new Map();
const params = new URLSearchParams(location.search);
const view = {
  prefix: params.get("prefix") ?? "",
  sort: params.get("sort") ?? "waiting",
  state: params.get("state") ?? "any",
  /** The key whose holders are shown. */
  open: params.get("key"),
  page: null,
  updatedAt: 0,
  live: true,
};

let timer = 0;
let generation = 0;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function get(path) {
  const response = await fetch(path, {
    headers: { Authorization: "Bearer " + sessionStorage.getItem(TOKEN) },
    cache: "no-store",
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const body = await response.json();
  if (!response.ok) {
    throw new Refused(response.status, body.detail ?? body.title ?? "status " + response.status);
  }
  return body;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

function show(id, visible) {
  byId(id).hidden = !visible;
}

/** Shows a time span as the command line does: 3 m 20 s. */
function span(from, to) {
  const seconds = Math.max(0, Math.round((to - from) / 1000));
  if (seconds < 60) {
    return seconds + " s";
  }
  if (seconds < 3600) {
    return Math.floor(seconds / 60) + " m " + (seconds % 60) + " s";
  }
  if (seconds < 86400) {
    return Math.floor(seconds / 3600) + " h " + Math.floor((seconds % 3600) / 60) + " m";
  }
  return Math.floor(seconds / 86400) + " d " + Math.floor((seconds % 86400) / 3600) + " h";
}

function remaining(until) {
  return until ? span(Date.now(), Date.parse(until)) + " left" : "";
}

function saveAddress() {
  const next = new URLSearchParams();
  if (view.prefix) {
    next.set("prefix", view.prefix);
  }
  if (view.sort !== "waiting") {
    next.set("sort", view.sort);
  }
  if (view.state !== "any") {
    next.set("state", view.state);
  }
  if (view.open !== null) {
    next.set("key", view.open);
  }
  const query = next.toString();
  history.replaceState(null, "", query ? "?" + query : location.pathname);
}

// ---- one key ----

function share(used, max) {
  return max ? Math.min(1, used / max) : 0;
}

function fullness(key) {
  return Math.max(share(key.parallelism.used, key.parallelism.max), share(key.rate.used, key.rate.max));
}

function isFull(key) {
  return fullness(key) >= 1;
}

function isStopped(key) {
  return key.paused || Boolean(key.retry_after);
}

function usageCell(label, rate) {
  const cell = element("td");
  cell.dataset.label = label;
  const usage = element("div", rate ? "usage rate" : "usage");
  const bar = element("span", "bar");
  bar.setAttribute("aria-hidden", "true");
  const figures = element("span", "figures");
  usage.append(bar, figures);
  cell.append(usage);
  return { cell, usage, bar, figures };
}

function updateUsage(at, used, max, suffix) {
  const limited = max !== undefined && max !== null;
  at.bar.hidden = !limited;
  at.bar.style.setProperty("--share", Math.round(share(used, max) * 100) + "%");
  at.usage.classList.toggle("full", limited && used >= max);
  at.figures.classList.toggle("none", !limited);
  at.figures.textContent = limited ? numbers.format(used) + "/" + numbers.format(max) + suffix : "–";
}

function makeRow(name) {
  const row = element("tr", "row");
  const nameCell = element("td", "name");
  const button = element("button", "key", name);
  button.type = "button";
  button.title = name;
  button.addEventListener("click", () => toggle(name));
  nameCell.append(button);
  const parallelism = usageCell("Parallelism", false);
  const rate = usageCell("Rate", true);
  const waiting = element("td", "number");
  waiting.dataset.label = "Waiting";
  const state = element("td");
  state.dataset.label = "State";
  const tags = element("div", "tags");
  state.append(tags);
  row.append(nameCell, parallelism.cell, rate.cell, waiting, state);
  return { row, button, parallelism, rate, waiting, state, tags, detail: null };
}

function updateRow(at, key) {
  updateUsage(at.parallelism, key.parallelism.used, key.parallelism.max, "");
  if (key.parallelism.max === undefined && key.parallelism.used > 0) {
    at.parallelism.figures.textContent = numbers.format(key.parallelism.used);
  }
  updateUsage(at.rate, key.rate.used, key.rate.max, " per " + (key.rate.period ?? ""));
  at.waiting.textContent = numbers.format(key.waiting);
  at.waiting.classList.toggle("some", key.waiting > 0);
  const tags = tagsOf(key);
  at.tags.replaceChildren(...tags);
  at.state.classList.toggle("empty-cell", tags.length === 0);
  at.button.setAttribute("aria-expanded", String(view.open === key.key));
}

function tagsOf(key) {
  const tags = [];
  if (isFull(key) && !isStopped(key)) {
    tags.push(element("span", "tag full", "■ full"));
  }
  if (key.paused) {
    tags.push(element("span", "tag paused", "‖ paused"));
  }
  if (key.retry_after) {
    const tag = element("span", "tag paused", "‖ retry after, " + remaining(key.retry_after.until));
    tag.title = "until " + key.retry_after.until;
    tags.push(tag);
  }
  if (key.pinned) {
    const end = remaining(key.pinned.until);
    const tag = element("span", "tag pinned", "⚲ pinned" + (end ? ", " + end : ""));
    tag.title = pinText(key.pinned);
    tags.push(tag);
  }
  return tags;
}

function pinText(pin) {
  const parts = [];
  if (pin.parallelism !== undefined) {
    parts.push("parallelism " + pin.parallelism);
  }
  if (pin.rate !== undefined) {
    parts.push("rate " + pin.rate + " per " + pin.period);
  }
  return "pinned: " + parts.join(", ");
}

// ---- who holds a key, and who waits for it ----

function toggle(name) {
  view.open = view.open === name ? null : name;
  saveAddress();
  render();
  refreshDetail();
}

async function refreshDetail() {
  const name = view.open;
  if (name === null || !rows.has(name)) {
    return;
  }
  const query = "?key=" + encodeURIComponent(name);
  try {
    const [holders, waitlist] = await Promise.all([
      get("/v1/keys/holders" + query),
      get("/v1/keys/waitlist" + query + "&limit=" + DETAIL_ROWS_MAX),
    ]);
    const at = rows.get(name);
    if (view.open === name && at && at.detail) {
      showDetail(at.detail, name, holders.holders, waitlist);
    }
  } catch (e) {
    if (!(e instanceof Refused && e.status === 404)) {
      report(e);
    }
  }
}

function showDetail(row, name, holders, waitlist) {
  const body = element("div", "detail-body");
  const held = element("section");
  held.append(element("h3", "", "Holders"), list(holders, holders.length, "Nobody holds it."));
  const waiting = element("section");
  waiting.append(element("h3", "", "Waiting"), list(waitlist.waitlist, waitlist.waiting, "Nothing waits for it."));
  const command = element("p", "wide");
  command.append("Change it with ", element("code", "", "weir keys " + quote(name) + " pause"), " (or resume, pin, unpin, reset-rate)");
  body.append(held, waiting, command);
  row.firstChild.replaceChildren(body);
}

function list(owners, total, none) {
  if (owners.length === 0) {
    return element("p", "", none);
  }
  const made = element("ol");
  for (const owner of owners.slice(0, DETAIL_ROWS_MAX)) {
    const item = owner.item === undefined ? "" : "/" + owner.item;
    const line = element("li");
    const since = element("span", "", owner.since ? span(Date.parse(owner.since), Date.now()) : "");
    since.title = owner.since ?? "";
    line.append(element("span", "", owner.run + (owner.step ? "/" + owner.step : "") + item), since);
    made.append(line);
  }
  if (total > DETAIL_ROWS_MAX) {
    made.append(element("li", "", "and " + numbers.format(total - DETAIL_ROWS_MAX) + " more"));
  }
  return made;
}

/** Quotes a key for a shell. */
function quote(text) {
  return /^[\w.:/@-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
}

// ---- the list ----

const ORDERS = {
  waiting: (a, b) => b.waiting - a.waiting || fullness(b) - fullness(a),
  fullest: (a, b) => fullness(b) - fullness(a) || b.waiting - a.waiting,
  name: () => 0,
};

const STATES = {
  any: () => true,
  waiting: (key) => key.waiting > 0,
  full: isFull,
  paused: isStopped,
  pinned: (key) => Boolean(key.pinned),
};

function visibleKeys() {
  const order = ORDERS[view.sort] ?? ORDERS.waiting;
  const matches = STATES[view.state] ?? STATES.any;
  return view.page.keys
    .filter(matches)
    .sort((a, b) => order(a, b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function render() {
  if (!view.page) {
    return;
  }
  const { keys, totals } = view.page;
  byId("total-keys").textContent = numbers.format(totals.keys);
  byId("total-waiting").textContent = numbers.format(totals.waiting);
  byId("total-used").textContent = numbers.format(totals.in_use);
  const shown = visibleKeys();
  const wanted = [];
  for (const key of shown) {
    const at = rows.get(key.key) ?? makeRow(key.key);
    rows.set(key.key, at);
    updateRow(at, key);
    wanted.push(at.row);
    if (view.open === key.key) {
      at.detail ??= makeDetail();
      wanted.push(at.detail);
    } else {
      at.detail = null;
    }
  }
  const names = new Set(shown.map((key) => key.key));
  for (const name of [...rows.keys()]) {
    if (!names.has(name)) {
      rows.delete(name);
    }
  }
  place(wanted);
  renderNotices(keys, totals, shown);
}

function makeDetail() {
  const row = element("tr", "detail");
  const cell = element("td", "", "…");
  cell.colSpan = 5;
  row.append(cell);
  return row;
}

/** Puts the rows in order, and moves only those that are not in place yet. */
function place(wanted) {
  const body = byId("rows");
  const kept = new Set(wanted);
  for (const row of [...body.children]) {
    if (!kept.has(row)) {
      row.remove();
    }
  }
  wanted.forEach((row, index) => {
    if (body.children[index] !== row) {
      body.insertBefore(row, body.children[index] ?? null);
    }
  });
}

function renderNotices(keys, totals, shown) {
  const cut = totals.keys > keys.length;
  show("more", cut);
  byId("more").textContent =
    "Showing the first " + numbers.format(keys.length) + " of " + numbers.format(totals.keys) +
    " keys by name. Search by prefix to see others.";
  show("empty", shown.length === 0);
  if (shown.length === 0) {
    const filtered = view.prefix !== "" || view.state !== "any";
    byId("empty-text").textContent = filtered
      ? "No key matches. Clear the search, or choose another state."
      : "No keys in use. A key appears when a step with flow_control waits or runs.";
    byId("empty-command").parentElement.hidden = filtered;
    byId("empty-command").textContent = FIRST_COMMAND;
  }
}

/** Lists the open notices above the keys, newest first. */
async function refreshNotices() {
  const found = await get("/v1/notices?state=open&limit=" + NOTICES_MAX);
  if (!isSignedIn()) {
    return;
  }
  const lines = found.notices.map((notice) => {
    const value = notice.max === undefined ? "" : ": " + numbers.format(notice.used) + " of " + numbers.format(notice.max);
    const what = notice.kind.replaceAll("_", " ") + (notice.subject ? " " + notice.subject : "");
    return element("li", notice.severity, notice.severity + ", " + what + value + ", since " +
      new Date(notice.opened_at).toLocaleTimeString());
  });
  if (found.next !== undefined) {
    lines.push(element("li", "", "More notices: weir notices"));
  }
  byId("notices").replaceChildren(...lines);
  show("notices", lines.length > 0);
}

// ---- refreshing ----

function setStatus(kind, text) {
  byId("live").className = "status " + kind;
  byId("live").textContent = text;
}

function report(e) {
  if (e instanceof Refused && e.status === 401) {
    signOut("The node does not accept this token: it is unknown or revoked.");
    return;
  }
  setStatus("lost", "○ reconnecting");
  const words = e instanceof Refused ? "The node refused the request: " + e.message : "The node does not respond.";
  const since = view.updatedAt ? " These figures are from " + new Date(view.updatedAt).toLocaleTimeString() + "." : "";
  byId("lost").textContent = words + since + " Retrying every 2 seconds.";
  show("lost", true);
}

async function refresh() {
  clearTimeout(timer);
  const mine = ++generation;
  try {
    const sort = view.sort in ORDERS ? view.sort : "waiting";
    const page = await get(
      "/v1/keys?limit=" + KEYS_MAX + "&sort=" + sort + "&prefix=" + encodeURIComponent(view.prefix));
    if (mine !== generation || !isSignedIn()) {
      return;
    }
    view.page = page;
    view.updatedAt = Date.now();
    show("lost", false);
    setStatus(view.live ? "live" : "still", view.live ? "● live" : "‖ paused");
    render();
    await refreshDetail();
    await refreshNotices();
  } catch (e) {
    if (mine === generation && isSignedIn()) {
      report(e);
    }
  }
  if (mine === generation) {
    schedule();
  }
}

function schedule() {
  clearTimeout(timer);
  if (view.live && isSignedIn() && !document.hidden) {
    timer = setTimeout(refresh, REFRESH_MS);
  }
}

// ---- signing in ----

function isSignedIn() {
  return sessionStorage.getItem(TOKEN) !== null;
}

function signOut(problem) {
  sessionStorage.removeItem(TOKEN);
  clearTimeout(timer);
  generation++;
  view.page = null;
  rows.clear();
  byId("rows").replaceChildren();
  showPage();
  byId("sign-in-problem").textContent = problem ?? "";
  show("sign-in-problem", Boolean(problem));
}

function showPage() {
  const signedIn = isSignedIn();
  show("sign-in", !signedIn);
  for (const id of ["keys", "live", "sign-out"]) {
    show(id, signedIn);
  }
  if (!signedIn) {
    byId("token").focus();
  }
}

function begin() {
  byId("prefix").value = view.prefix;
  byId("sort").value = view.sort;
  byId("state").value = view.state;
  byId("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    const token = byId("token").value.trim();
    byId("token").value = "";
    if (!/^[\x21-\x7e]+$/.test(token)) {
      signOut("A token has only letters, digits and signs, without spaces. Copy it again.");
      return;
    }
    sessionStorage.setItem(TOKEN, token);
    show("sign-in-problem", false);
    showPage();
    refresh();
  });
  byId("sign-out").addEventListener("click", () => signOut());
  byId("live").addEventListener("click", () => {
    view.live = !view.live;
    setStatus(view.live ? "live" : "still", view.live ? "● live" : "‖ paused");
    if (view.live) {
      refresh();
    } else {
      clearTimeout(timer);
    }
  });
  byId("prefix").addEventListener("input", () => {
    view.prefix = byId("prefix").value;
    saveAddress();
    clearTimeout(timer);
    timer = setTimeout(refresh, 200);
  });
  for (const id of ["sort", "state"]) {
    byId(id).addEventListener("change", () => {
      view[id] = byId(id).value;
      saveAddress();
      render();
      refresh();
    });
  }
  byId("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(byId("empty-command").textContent);
    byId("copy").textContent = "Copied";
  });
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(document.activeElement?.tagName);
    if (event.key === "/" && !typing && isSignedIn()) {
      event.preventDefault();
      byId("prefix").focus();
    } else if (event.key === "Escape" && view.open !== null) {
      toggle(view.open);
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && view.live && isSignedIn()) {
      refresh();
    }
  });
  showPage();
  if (isSignedIn()) {
    refresh();
  }
}

begin();
