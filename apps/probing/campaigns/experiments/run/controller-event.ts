/** What the controller itself does and sees, on the time line. */
import type { KeptEvent } from "../../../../../lib/measuring/experiment/journal.ts";
import { nanosOf } from "../../../../../lib/measuring/probing/nanos-of.ts";

type Happening = Pick<KeptEvent, "event" | "subject" | "detail">;

export function controllerEvent(plane: "control" | "data", atMs: number, what: Happening): KeptEvent {
  return { timeNs: String(nanosOf(atMs)), plane, source: "controller", ...what };
}
