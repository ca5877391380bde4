import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Schemas } from "../../api/client";

type Finding = Schemas["Finding"];

interface LineNumbersProps {
  text: string;
  findings: readonly Finding[];
  /** The definition is accepted, so these are notes and no errors. */
  valid: boolean;
  /** The element whose lines these are; they scroll with it. */
  of: RefObject<HTMLElement | null>;
}

/** The numbers of the lines, with a mark at each line about which the node said something. */
export function LineNumbers({ text, findings, valid, of }: LineNumbersProps) {
  const numbers = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const element = of.current;
    const scroll = () => {
      if (numbers.current && element) {
        numbers.current.scrollTop = element.scrollTop;
      }
    };
    element?.addEventListener("scroll", scroll);
    return () => element?.removeEventListener("scroll", scroll);
  }, []);
  const marked = new Set(findings.map((finding) => finding.line));
  return (
    <pre class="line-numbers" aria-hidden="true" ref={numbers}>
      {text.split("\n").map((_, index) => (
        <span key={index} class={marked.has(index + 1) ? (valid ? "marked note" : "marked") : undefined}>
          {marked.has(index + 1) ? "▸" : " "}
          {index + 1}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

interface FindingListProps {
  findings: readonly Finding[];
  /** The definition is accepted, so these are notes and no errors. */
  valid: boolean;
  go?: (finding: Finding) => void;
}

/** The node's findings about a definition, line by line. */
export function FindingList({ findings, valid, go }: FindingListProps) {
  return findings.length === 0 ? null : (
    <ul class="findings small">
      {findings.map((finding, index) => (
        <li key={index}>
          {finding.line !== undefined && <Place of={finding} go={go} />}{" "}
          <span class={valid ? "tone-waiting" : "tone-failed"}>{valid ? "note:" : "error:"}</span> {finding.message}
        </li>
      ))}
    </ul>
  );
}

function Place({ of, go }: { of: Finding; go: ((finding: Finding) => void) | undefined }) {
  const words = `line ${of.line}, column ${of.column ?? 1}`;
  return go ? (
    <button type="button" class="link" onClick={() => go(of)}>
      {words}
    </button>
  ) : (
    <span class="number soft">{words}</span>
  );
}
