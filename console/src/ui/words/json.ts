/** Reads JSON. The problem says where the text stops being JSON, if the browser knows. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: text.trim() === "" ? undefined : (JSON.parse(text) as unknown) };
  } catch (e) {
    const message = (e as Error).message;
    const offset = /position (\d+)/.exec(message)?.[1];
    if (offset === undefined || /line \d/.test(message)) {
      return { problem: message };
    }
    const before = text.slice(0, Number(offset)).split("\n");
    return { problem: `${message} (line ${before.length}, column ${before[before.length - 1]!.length + 1})` };
  }
}
