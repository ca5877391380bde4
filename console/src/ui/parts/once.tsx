import { Dialog } from "./dialog";
import { CopyButton } from "./text";

interface OnceProps {
  title: string;
  /** The purpose of the secret. */
  words: string;
  secret: string;
  onClose: () => void;
}

/** Shows a secret that the node shows only once. It is in the memory of the page only while this is open. */
export function ShownOnce({ title, words, secret, onClose }: OnceProps) {
  return (
    <Dialog title={title} onClose={onClose} alert stays>
      <p>{words}</p>
      <p class="command once">
        <code>{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </p>
      <p class="small">Nobody can show it again. Copy it now, and keep it where its user can read it.</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </Dialog>
  );
}
