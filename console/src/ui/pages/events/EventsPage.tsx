import { linkTo, param } from "../../address";
import { Tabs } from "../../parts/panels";
import { ReceivedEvents } from "./ReceivedEvents";
import { Schedules } from "./Schedules";
import { TriggerList } from "./TriggerList";

/** Automatic starts of runs: the events that arrived, the triggers that take them, and schedules. */
export function EventsPage() {
  const view = param("view");
  return (
    <>
      <Tabs
        label="Events"
        tabs={[
          { name: "Received", link: linkTo("events"), current: view === "" },
          { name: "Triggers", link: linkTo("events", { view: "triggers" }), current: view === "triggers" },
          { name: "Schedules", link: linkTo("events", { view: "schedules" }), current: view === "schedules" },
        ]}
      />
      {view === "triggers" ? <TriggerList /> : view === "schedules" ? <Schedules /> : <ReceivedEvents />}
    </>
  );
}
