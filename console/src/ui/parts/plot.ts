/** Maps a value to a place in pixels. */
export type Scale = (value: number) => number;

const TICKS = 3;
const TIME_TICK_WIDTH = 80;
const TIME_STEPS = [60, 120, 300, 600, 900, 1_800];
const LABEL_WIDTH = 88;

/** Makes a linear scale. */
export function scaleOf(from: number, to: number, begin: number, end: number): Scale {
  const range = Math.max(to - from, Number.EPSILON);
  return (value) => begin + ((value - from) / range) * (end - begin);
}

/** Chooses about three round whole numbers up to a maximum, beginning with 0. */
export function wholeTicks(max: number): number[] {
  const rough = Math.max(1, max / TICKS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough);
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) => index * step);
}

/** Chooses round times, in seconds, with room for their words. */
export function timeTicks(from: number, to: number, width: number): number[] {
  const step = TIME_STEPS.find((one) => ((to - from) / one) * TIME_TICK_WIDTH <= width) ?? 1_800;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}

/** Places marks between two ends. A mark that is near the one before it has no word. */
export function labelledMarks(marks: readonly { at: number; text: string }[], x: Scale, begin: number, end: number) {
  let labelled = -Infinity;
  return [...marks]
    .sort((one, other) => one.at - other.at)
    .map((mark) => ({ x: x(mark.at), text: mark.text }))
    .filter((mark) => mark.x >= begin && mark.x <= end)
    .map((mark) => {
      const hasRoom = mark.x - labelled >= LABEL_WIDTH;
      labelled = hasRoom ? mark.x : labelled;
      return { x: mark.x, text: hasRoom ? mark.text : "", atEnd: end - mark.x < LABEL_WIDTH };
    });
}
