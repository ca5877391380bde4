import { param } from "../../address";
import { DeadLetterList } from "./DeadLetterList";
import { OneDeadLetter } from "./OneDeadLetter";

/** Work that failed for good: all of it, or one dead letter. */
export function DeadLettersPage() {
  const letter = param("letter");
  return letter === "" ? <DeadLetterList /> : <OneDeadLetter key={letter} id={letter} />;
}
