import { count } from "../words/numbers";
import { LIMIT_KIND_NAMES, type LimitKind } from "../words/limits";

interface BarProps {
  used: number;
  max: number | undefined;
  /** Rates are striped, because what they count are starts. */
  rate?: boolean;
  large?: boolean;
}

/** A bar that shows the used share of a limit. */
export function Bar({ used, max, rate, large }: BarProps) {
  const share = max ? Math.min(1, used / max) : 0;
  const full = max !== undefined && used >= max;
  const classes = ["bar", rate && "rate", full && "full", large && "large"].filter(Boolean).join(" ");
  return (
    <span class={classes} aria-hidden="true">
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** A bar with its figures: `10/10`, `14/20 per 1m`; a dash without a limit. */
export function Usage({ used, max, rate, per }: BarProps & { per?: string | undefined }) {
  if (max === undefined || max === null) {
    return <span class="number soft">{used > 0 ? count(used) : "–"}</span>;
  }
  return (
    <span class="usage">
      <Bar used={used} max={max} rate={rate ?? false} />
      <span class="number">
        {count(used)}/{count(max)}
        {per ? ` per ${per}` : ""}
      </span>
    </span>
  );
}

/** A bar of parts that are done, of a known whole. */
export function ProgressBar({ done, total, label }: { done: number; total: number; label: string }) {
  return (
    <span class="bar done" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={total} aria-valuenow={done}>
      <i style={{ width: `${total === 0 ? 100 : (done / total) * 100}%` }} />
    </span>
  );
}

const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 20;

/** The course of a figure over the last hour, as an area. */
export function Sparkline({ values, label }: { values: readonly number[] | undefined; label: string }) {
  if (!values || values.length === 0) {
    return <span class="soft">–</span>;
  }
  const max = Math.max(1, ...values);
  const step = SPARK_WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${(SPARK_HEIGHT - (value / max) * (SPARK_HEIGHT - 2)).toFixed(1)}`);
  const last = values[values.length - 1] ?? 0;
  return (
    <svg class="spark" width={SPARK_WIDTH} height={SPARK_HEIGHT} role="img" aria-label={`${label}: now ${count(last)}, at most ${count(max)} in the last hour`}>
      <polygon points={`0,${SPARK_HEIGHT} ${points.join(" ")} ${SPARK_WIDTH},${SPARK_HEIGHT}`} />
      <polyline points={points.join(" ")} />
    </svg>
  );
}

/** The colour and pattern of a kind of limit, with its name. */
export function LimitKindTag({ kind, name }: { kind: LimitKind; name?: string }) {
  return (
    <span class="tag limit-tag">
      <span class={`limit-swatch limit-${kind}`} aria-hidden="true" />
      {name ?? LIMIT_KIND_NAMES[kind]}
    </span>
  );
}
