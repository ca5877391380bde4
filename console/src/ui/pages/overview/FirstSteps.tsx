import { Panel } from "../../parts/panels";
import { Command } from "../../parts/text";

const COMMANDS = [
  { words: "Register a workflow: five items, of which three run at once.", text: "weir apply examples/five-items.yaml" },
  { words: "Start a run of it. Its steps wait until a worker serves their module.", text: "weir start five_items" },
  { words: "Start a worker. Any program that reads and writes JSON will do.", text: "weir work images.resize --exec 'cat'" },
];

/** The first commands for a node that has neither workflows nor runs. */
export function FirstSteps() {
  return (
    <Panel title="This node is new. Try three commands">
      <ol class="first-steps">
        {COMMANDS.map(({ words, text }) => (
          <li key={text}>
            <span>{words}</span>
            <Command text={text} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
