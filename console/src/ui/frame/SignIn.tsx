import { useState } from "preact/hooks";
import { endReason, signIn } from "../api/session";
import { Command } from "../parts/text";

const TOKEN_FORM = /^[\x21-\x7e]+$/;

/** Asks for an API token. */
export function SignIn() {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (!TOKEN_FORM.test(token.trim())) {
      setProblem("A token has only letters, digits and signs, without spaces. Copy it again.");
      return;
    }
    setBusy(true);
    setProblem((await signIn({ token: token.trim() })) ?? "");
    setBusy(false);
  };

  const shown = problem || endReason.value;
  return (
    <main class="sign-in">
      <h1>
        <span aria-hidden="true">▚</span> Sign in to Weir
      </h1>
      <p>
        Enter an API token of your organisation. <code>weir up</code> stored one in <code>.weir/profile.json</code>.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field" for="token">
          <span>API token</span>
        </label>
        <div class="row">
          <input
            id="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            autofocus
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={busy}>
            Sign in
          </button>
        </div>
        {shown && (
          <p class="problem" role="alert">
            {shown}
          </p>
        )}
      </form>
      <p class="soft small">Or let the command line print a link that signs you in once:</p>
      <Command text="weir console" />
    </main>
  );
}
