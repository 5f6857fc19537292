/** `vantage cancel`: stops measurements; what they have not sent goes back to the day's quota. */
import type { InferOutput } from "valibot";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { cancelledSchema } from "./answers.ts";
import { gatewayCommand } from "./command.ts";
import { measurementIds } from "./measurement-id.ts";
import type { Session } from "./session.ts";

type Cancelled = InferOutput<typeof cancelledSchema>;

const columns: readonly Column<Cancelled>[] = [
  { name: "measurement_id", head: "measurement", value: (one) => one.measurement_id },
  { name: "cancelled", head: null, value: ({ cancelled }) => cancelled },
  { name: "agents_cancelled", head: "agents stopped", align: "right", value: (one) => one.agents_cancelled },
  { name: "message", head: "", value: ({ message }) => message },
];

export const { run, options } = gatewayCommand({
  name: "cancel",
  purpose: "stop measurements; what agents say they have not sent goes back to your quota",
  usage: "[options] ID...",
  options: {},
  more: "Exit codes: 0 stopped, or ended before; 1 failure, 2 wrong usage.",
  check: (_values, positionals) => measurementIds(positionals),
  act: cancel,
});

async function cancel(session: Session, ids: readonly string[]): Promise<number> {
  const gateway = await session.open();
  const { signal } = session;
  const output = session.output(columns);
  for (const id of ids) {
    // Repeated without harm: what is cancelled stays so.
    const ask = { method: "POST", repeatable: true, signal } as const;
    output.add(await gateway.read(`/api/measurement/${id}/cancel`, cancelledSchema, ask));
  }
  output.finish();
  return exitCodes.ok;
}
