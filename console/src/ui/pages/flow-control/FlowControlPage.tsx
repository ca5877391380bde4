import { param } from "../../address";
import { KeyList } from "./KeyList";
import { OneKey } from "./OneKey";

/** Flow-control keys: all of them, or one. */
export function FlowControlPage() {
  const key = param("key");
  return key === "" ? <KeyList /> : <OneKey key={key} name={key} />;
}
