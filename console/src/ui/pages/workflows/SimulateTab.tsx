import type { Schemas } from "../../api/client";
import { Command } from "../../parts/text";
import { yaml } from "../../words/yaml";

/** The steps of a simulation: the definition as a file, and the commands. */
export function SimulateTab({ workflow }: { workflow: Schemas["WorkflowView"] }) {
  const file = `${workflow.name.replace(/[^A-Za-z0-9_-]/g, "_")}.yaml`;
  const save = () => {
    const url = URL.createObjectURL(new Blob([yaml(workflow.definition)], { type: "application/yaml" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = file;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div class="stack">
      <p class="prose small">
        The command line simulates a workflow in virtual time, on the rules with which the node decides. It shows how long runs take, how full the
        limits get, and what the steps wait for. It needs no node.
      </p>
      <ol class="steps-to-do">
        <li>
          Take the definition:{" "}
          <button type="button" onClick={save}>
            Save {file}
          </button>
        </li>
        <li>
          100 runs, one every 2 seconds, with 20 places at workers: <Command text={`weir simulate ${file} --runs 100 --every 2s --workers 20`} />
        </li>
        <li>
          The same with other values: <Command text={`weir simulate ${file} --runs 100 --compare max_concurrent_steps=5,10,20`} />
        </li>
      </ol>
    </div>
  );
}
