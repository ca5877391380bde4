import type { Schemas } from "../api/client";
import { linkTo } from "../address";
import { count, counted } from "./numbers";
import { type Subject, limitSubject } from "./subjects";
import { duration } from "./times";

type Notice = Schemas["Notice"];

const SECOND_MS = 1_000;

/** The limit that a notice is about; undefined for notices about the organisation. */
export function noticeSubject(notice: Notice): Subject | undefined {
  switch (notice.kind) {
    case "dead_letters":
      return { kind: "", name: "dead letters", link: linkTo("dead-letters") };
    case "more_limits":
      return { kind: "", name: "all keys", link: linkTo("flow-control", { sort: "fullest" }) };
    default:
      return notice.subject === undefined ? undefined : limitSubject(notice.subject);
  }
}

/** Identifies the value that a notice is about. Its warning and its critical notice share it. */
export function subjectId(notice: Notice): string {
  return `${notice.kind} ${notice.subject ?? ""}`;
}

/** Says what crossed which threshold. The subject is shown before it. */
export function noticeWords(notice: Notice): string {
  const full = notice.severity === "critical";
  const max = notice.max ?? 0;
  switch (notice.kind) {
    case "capacity":
      return full ? (max === 1 ? "its only place in use" : `all ${counted(max, "place")} in use`) : `${count(notice.used)} of ${counted(max, "place")} in use`;
    case "rate":
      return full ? (max === 1 ? "the only start of the window used" : `all ${counted(max, "start")} of the window used`) : `${count(notice.used)} of ${counted(max, "start")} of the window used`;
    case "over_capacity":
      return "work is wider than the limit and cannot start until somebody raises it";
    case "oldest_waiter":
      return `the oldest waiter had waited for ${duration(notice.used * SECOND_MS)}`;
    case "sweep_difference":
      return "the memory of a node differed from the rows; the node reported and corrected it";
    case "dead_letters":
      return `${counted(notice.used, "dead letter")} open, of ${count(max)} that give a notice`;
    case "more_limits":
      return `more than ${count(notice.used)} limits crossed a threshold; the others are not listed one by one`;
  }
}
