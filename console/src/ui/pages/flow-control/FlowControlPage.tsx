import { param } from "../../address";
import { KeyList } from "./KeyList";

/** Flow-control keys: all of them, or one. */
export function FlowControlPage() {
  const key = param("key");
  return key === "" ? <KeyList /> : <p>{key}</p>;
}
