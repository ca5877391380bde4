import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { now } from "../live/connection";
import { lookOf } from "../words/states";
import { count, exactCount } from "../words/numbers";
import { ago, clockTime, exactTime, steadyDuration } from "../words/times";

/** A state as a sign and a word in the colour of its meaning. */
export function StateTag({ state, word }: { state: string; word?: string }) {
  const look = lookOf(state);
  return (
    <span class={`tag tone-${look.tone}`}>
      <span class="sign" aria-hidden="true">
        {look.sign}
      </span>
      {word ?? look.word}
    </span>
  );
}

/** A count; the exact number appears on hover when it is shortened. */
export function Count({ value }: { value: number | undefined }) {
  if (value === undefined) {
    return <span class="number soft">–</span>;
  }
  const short = count(value);
  const exact = exactCount(value);
  return (
    <span class="number" title={short === exact ? undefined : exact}>
      {short}
    </span>
  );
}

/** The time since a moment; the exact moment appears on hover. */
export function Ago({ at }: { at: string | undefined }) {
  if (!at) {
    return <span class="soft">–</span>;
  }
  const then = Date.parse(at);
  return (
    <time class="number" dateTime={at} title={exactTime(then)}>
      {ago(then, now.value)}
    </time>
  );
}

/** The duration from a moment until now, or until an end. */
export function Lasting({ since, until }: { since: string | undefined; until?: string | undefined }) {
  if (!since) {
    return <span class="soft">–</span>;
  }
  const begin = Date.parse(since);
  const end = until ? Date.parse(until) : now.value;
  return (
    <time class="number" dateTime={since} title={`since ${exactTime(begin)}`}>
      {steadyDuration(end - begin)}
    </time>
  );
}

/** The time of day at which something will happen or has happened. */
export function At({ at, seconds = true }: { at: string | undefined; seconds?: boolean }) {
  if (!at) {
    return <span class="soft">–</span>;
  }
  const time = Date.parse(at);
  return (
    <time class="number" dateTime={at} title={exactTime(time)}>
      {clockTime(time, now.value, seconds)}
    </time>
  );
}

/** The time that is left until a moment: `18 m left`. */
export function Left({ until }: { until: string }) {
  const end = Date.parse(until);
  return (
    <time dateTime={until} title={`until ${exactTime(end)}`}>
      {steadyDuration(end - now.value)} left
    </time>
  );
}

const ID_LENGTH_MAX = 40;
const COPIED_MS = 1_500;

/** Shortens a long id in its middle, where ids rarely differ. */
export function shortened(id: string, length = ID_LENGTH_MAX): string {
  const half = Math.floor((length - 1) / 2);
  return id.length <= length ? id : `${id.slice(0, half)}…${id.slice(-half)}`;
}

/** An id in fixed width; a click on the sign beside it copies all of it. */
export function Id({ id, link, length }: { id: string; link?: string; length?: number }) {
  const text = shortened(id, length);
  return (
    <span class="id">
      {link ? (
        <a href={link} title={text === id ? undefined : id}>
          {text}
        </a>
      ) : (
        <span title={text === id ? undefined : id}>{text}</span>
      )}
      <CopyButton text={id} label={`Copy ${id}`} />
    </span>
  );
}

/** Two sheets. A drawing, because few fonts have a character for it. */
function CopySign() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M3.5 8.5h-2v-7h6v2M4.5 3.5h6v7h-6z" />
    </svg>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), COPIED_MS) : 0;
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      class="copy"
      aria-label={copied ? "Copied" : label}
      title={copied ? "Copied" : "Copy"}
      onClick={(event) => {
        event.stopPropagation();
        void navigator.clipboard?.writeText(text).then(() => setCopied(true));
      }}
    >
      {copied ? "✓" : <CopySign />}
    </button>
  );
}

/** A command for the terminal, to be copied. */
export function Command({ text }: { text: string }) {
  return (
    <span class="command">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy the command ${text}`} />
    </span>
  );
}

/** A value in JSON, as text. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}

/** Names and values, side by side. */
export function Pairs({ children }: { children: ComponentChildren }) {
  return <dl class="pairs">{children}</dl>;
}

export function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
