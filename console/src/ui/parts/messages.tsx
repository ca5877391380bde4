import { signal } from "@preact/signals";

interface Message {
  id: number;
  text: string;
  failed: boolean;
}

const SHOWN_MS = 6_000;
const MESSAGES_MAX = 4;
const messages = signal<Message[]>([]);
let lastId = 0;

/** Tells the user what has happened, at the edge of the page, for a few seconds. */
export function tell(text: string, failed = false): void {
  const id = ++lastId;
  messages.value = [...messages.value, { id, text, failed }].slice(-MESSAGES_MAX);
  setTimeout(() => {
    messages.value = messages.value.filter((message) => message.id !== id);
  }, SHOWN_MS);
}

export function Messages() {
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.value.map((message) => (
        <p key={message.id} class={message.failed ? "message failed" : "message"}>
          {message.text}
        </p>
      ))}
    </div>
  );
}
