import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import { live, visible } from "../../live/connection";
import { Problem } from "../../parts/panels";

const FOLLOW_MS = 1_500;
/** The part of a log that a page keeps; `weir logs` prints all of it. */
const KEPT_CHARS = 200_000;

interface LogPanelProps {
  run: string;
  step: string;
  item: number | undefined;
  attempts: number;
  ended: boolean;
}

/** The log of an attempt. It follows the newest attempt as long as the step goes on. */
export function LogPanel({ run, step, item, attempts, ended }: LogPanelProps) {
  const [chosen, setChosen] = useState(0);
  const attempt = chosen || attempts;
  return (
    <section>
      <h3 class="log-head">
        Log
        {attempts > 1 && (
          <select aria-label="Attempt" value={attempt} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {Array.from({ length: attempts }, (_, index) => (
              <option key={index} value={index + 1}>
                attempt {index + 1}
              </option>
            ))}
          </select>
        )}
      </h3>
      <Log key={`${run} ${step} ${item} ${attempt}`} run={run} step={step} item={item} attempt={attempt} ended={ended || attempt < attempts} />
    </section>
  );
}

function Log({ run, step, item, attempt, ended }: { run: string; step: string; item: number | undefined; attempt: number; ended: boolean }) {
  const [text, setText] = useState("");
  const [cut, setCut] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [loaded, setLoaded] = useState(false);
  const at = useRef<HTMLPreElement>(null);
  const next = useRef<string | undefined>(undefined);

  useEffect(() => {
    const abort = new AbortController();
    let timer = 0;
    const read = async () => {
      try {
        if (live.peek() && visible.peek()) {
          const view = await get("/v1/runs/{run}/steps/{step}/logs", {
            path: { run, step },
            query: { item, attempt, after: next.current },
            signal: abort.signal,
          });
          next.current = view.next ?? next.current;
          if (view.text) {
            setText((before) => (before + view.text).slice(-KEPT_CHARS));
          }
          setCut((before) => before || view.cut === true);
          setProblem(undefined);
          setLoaded(true);
        }
      } catch (e) {
        if (abort.signal.aborted) {
          return;
        }
        setProblem(e as Error);
      }
      if (!ended && !abort.signal.aborted) {
        timer = setTimeout(() => void read(), FOLLOW_MS);
      }
    };
    void read();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [ended]);

  useEffect(() => {
    const pre = at.current;
    if (pre && pre.scrollHeight - pre.scrollTop - pre.clientHeight < 80) {
      pre.scrollTop = pre.scrollHeight;
    }
  }, [text]);

  if (problem && text === "") {
    return <Problem error={problem} />;
  }
  if (text === "") {
    return <p class="soft small">{loaded ? "Nothing was logged." : "…"}</p>;
  }
  return (
    <>
      {cut && <p class="soft small">The beginning is no longer available.</p>}
      <pre class="json log" ref={at} tabIndex={0} aria-label={`Log of attempt ${attempt}`}>
        {text}
      </pre>
    </>
  );
}
