import { useEffect, useRef, useState } from "preact/hooks";
import { linkTo } from "../../address";
import { Problem } from "../../parts/panels";
import { Id } from "../../parts/text";
import { count, counted } from "../../words/numbers";
import { type Chain, type ChainCheck, verifyPart } from "./audit";

const FINDINGS_SHOWN = 50;

/** Checks the chain of the audit, part by part, and shows its head so that a later check can prove its end. */
export function VerifyPanel({ chain, onClose }: { chain: Chain; onClose: () => void }) {
  const [noted, setNoted] = useState("");
  const [result, setResult] = useState<ChainCheck>();
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const verify = async (event: Event) => {
    event.preventDefault();
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    setProblem(undefined);
    setResult(undefined);
    try {
      for await (const part of verifyAll(chain, noted.trim(), abort.signal)) {
        setResult(part);
      }
    } catch (e) {
      if (!abort.signal.aborted) {
        setProblem(e as Error);
      }
    }
    setBusy(false);
  };

  return (
    <section class="panel verify" aria-label="Verify the chain">
      <h2>Verify the chain</h2>
      <form class="stack" onSubmit={(event) => void verify(event)}>
        <p class="small">
          Each entry contains the hash of the one before it. The check finds entries that somebody edited, removed, moved or inserted. With a
          head that you noted earlier, it also proves that nobody removed entries from the end.
        </p>
        <label class="field">
          <span>Head noted earlier (optional)</span>
          <input
            class="mono"
            value={noted}
            placeholder="42:9f86d081884c7d65…"
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setNoted(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="primary" disabled={busy}>
            {busy ? "Verifying…" : "Verify"}
          </button>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
        <Problem error={problem} />
        <div aria-live="polite">{result && <Result of={result} chain={chain} />}</div>
      </form>
    </section>
  );
}

/** Yields the result so far after each part, and the result of the whole chain at last. */
async function* verifyAll(chain: Chain, noted: string, signal: AbortSignal): AsyncGenerator<ChainCheck> {
  let checked = 0;
  let after: string | undefined;
  const findings = new Map<string, ChainCheck["findings"][number]>();
  for (;;) {
    const part = await verifyPart(chain, after, noted, signal);
    checked += part.checked;
    part.findings.forEach((finding) => findings.set(`${finding.number} ${finding.problem}`, finding));
    yield { ...part, checked, intact: findings.size === 0, findings: [...findings.values()] };
    if (part.complete) {
      return;
    }
    after = part.head;
  }
}

const TAILS = {
  proved: { tone: "tone-done", sign: "✓", words: "nobody removed entries from the end since the noted head" },
  unproved: {
    tone: "tone-waiting",
    sign: "▲",
    words: "the end is unproved: keep the head below somewhere else, and enter it at the next check",
  },
  missing: { tone: "tone-failed", sign: "✕", words: "entries were removed from the end" },
} as const;

function Result({ of, chain }: { of: ChainCheck; chain: Chain }) {
  if (!of.complete) {
    return <p class="soft small">{counted(of.checked, "entry", "entries")} checked so far…</p>;
  }
  const tail = TAILS[of.tail];
  return (
    <ul class="chain-findings">
      <li class={of.intact ? "tone-done" : "tone-failed"}>
        {of.intact
          ? `✓ intact: ${counted(of.checked, "entry", "entries")} checked`
          : `✕ broken: ${counted(of.findings.length, "finding")} in ${counted(of.checked, "entry", "entries")}`}
      </li>
      {of.findings.slice(0, FINDINGS_SHOWN).map((finding) => (
        <li key={`${finding.number} ${finding.problem}`}>
          <a href={linkTo("audit", { chain: chain === "administration" ? chain : "", entry: finding.number })}>entry {count(finding.number)}</a>:{" "}
          {finding.problem}
        </li>
      ))}
      {of.findings.length > FINDINGS_SHOWN && <li class="soft">and {count(of.findings.length - FINDINGS_SHOWN)} more</li>}
      <li class={tail.tone}>
        {tail.sign} {tail.words}
      </li>
      <li>
        head <Id id={of.head} length={40} />
      </li>
    </ul>
  );
}
