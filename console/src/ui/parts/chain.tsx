import { chainLink } from "../words/dead-letters";
import { shortened } from "./text";

interface ChainProps {
  /** The runs and events, the first one first. */
  links: readonly { type?: string; kind?: string; id: string; name: string }[];
  /** The last link of the chain. */
  end?: string;
}

/** The runs and events that led to something, one below the other. */
export function Chain({ links, end }: ChainProps) {
  return (
    <ol class="chain">
      {links.map((link, index) => (
        <li key={`${index} ${link.id}`}>
          <span class="soft">{link.type ?? link.kind}</span> {link.name}{" "}
          <a class="mono" href={chainLink(link)} title={link.id}>
            {shortened(link.id)}
          </a>
        </li>
      ))}
      {end && <li class="tone-failed">✕ {end}</li>}
    </ol>
  );
}
