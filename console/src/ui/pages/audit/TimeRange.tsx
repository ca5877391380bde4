import { param, setParams } from "../../address";

/** Two times that the address carries in UTC, entered in the user's zone. */
export function TimeRange() {
  return (
    <>
      <TimeField name="since" label="from" />
      <TimeField name="until" label="until" />
    </>
  );
}

function TimeField({ name, label }: { name: string; label: string }) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={toLocal(param(name))}
        onChange={(event) => setParams({ [name]: toUtc(event.currentTarget.value) })}
      />
    </label>
  );
}

function toUtc(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

const LOCAL_LENGTH = "2026-01-31T12:00".length;

function toLocal(utc: string): string {
  const time = new Date(utc);
  if (Number.isNaN(time.getTime())) {
    return "";
  }
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, LOCAL_LENGTH);
}
