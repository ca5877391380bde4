const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Shows a duration in its two largest units, as the command line does: `3 m 20 s`, `420 ms`, `1.25 s`. */
export function duration(ms: number): string {
  const value = Math.max(0, ms);
  if (value < SECOND) {
    return `${value < 10 && value % 1 !== 0 ? value.toFixed(1) : Math.round(value)} ms`;
  }
  if (value < MINUTE) {
    const digits = value < 10 * SECOND ? 2 : 1;
    return `${Number((value / SECOND).toFixed(digits))} s`;
  }
  const [large, small, unit, part] =
    value < HOUR ? [MINUTE, SECOND, "m", "s"] : value < DAY ? [HOUR, MINUTE, "h", "m"] : [DAY, HOUR, "d", "h"];
  const whole = Math.floor(value / large);
  const rest = Math.floor((value - whole * large) / small);
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${part}`;
}

/** Shows a duration in whole seconds or larger units, for figures that change every second. */
export function steadyDuration(ms: number): string {
  return ms < MINUTE ? `${Math.max(0, Math.floor(ms / SECOND))} s` : duration(ms);
}

/** Shows how long ago something was: `3 m ago`; after a day the date. */
export function ago(then: number, now: number): string {
  const passed = now - then;
  if (passed < SECOND) {
    return "just now";
  }
  if (passed >= DAY) {
    return dateTime(then);
  }
  const [unit, name] = passed < MINUTE ? [SECOND, "s"] : passed < HOUR ? [MINUTE, "m"] : [HOUR, "h"];
  return `${Math.floor(passed / unit)} ${name} ago`;
}

/** Shows a time in the user's zone; the date only if it is not today. */
export function clockTime(at: number, now: number, seconds = true): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" } : {}),
  });
  return new Date(now).toDateString() === date.toDateString() ? time : `${day(date)} ${time}`;
}

/** Shows date and time in the user's zone. */
export function dateTime(at: number): string {
  const date = new Date(at);
  return `${day(date)} ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

/** Shows a time exactly, for hovering. */
export function exactTime(at: number): string {
  const date = new Date(at);
  return `${day(date)} ${date.toLocaleTimeString("en-GB")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function day(date: Date): string {
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Shows a time in a given zone: weekday, date and time; in UTC if the browser does not know the zone. */
export function timeInZone(at: number, zone: string): string {
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      day: "2-digit",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    }).format(at);
  try {
    return format(zone).replace(",", "");
  } catch {
    return `${format("UTC").replace(",", "")} UTC`;
  }
}

const UNITS: Record<string, number> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Reads a duration as the node spells it, such as `1m`, in milliseconds; not a number if it is none. */
export function parseDuration(text: string): number {
  const found = /^(\d+)(ms|s|m|h|d)$/.exec(text);
  return found ? Number(found[1]) * (UNITS[found[2]!] ?? NaN) : NaN;
}
