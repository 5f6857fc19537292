/** `vantage cancel`: stops measurements; unsent probes are refunded to the day's quota. */
import type { InferOutput } from "valibot";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { cancelledSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import { measurementId, wholeId } from "./measurement-id.ts";

type Cancelled = InferOutput<typeof cancelledSchema>;

const columns: readonly Column<Cancelled>[] = [
  { name: "measurement_id", head: "measurement", value: (one) => one.measurement_id },
  { name: "cancelled", head: null, value: ({ cancelled }) => cancelled },
  { name: "agents_cancelled", head: "agents stopped", align: "right", value: (one) => one.agents_cancelled },
  { name: "message", head: "", value: ({ message }) => message },
];

export const command = gatewayCommand({
  options: {},
  arguments: {
    ids: {
      kind: measurementId,
      many: true,
      required: true,
      meaning: "measurements: their ids, the beginnings of them, or last",
    },
  },
  examples: ["vantage cancel last", "vantage cancel 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55"],
  exits: { ok: "stopped, or ended before" },
  act: cancel,
});

async function cancel(
  session: GatewaySession,
  { ids }: { readonly ids: readonly string[] },
): Promise<ExitCode> {
  const gateway = await session.open();
  const { signal } = session;
  const output = session.output(columns);
  // All are known before the first is stopped.
  const whole: string[] = [];
  for (const id of ids) {
    whole.push(await wholeId(session, gateway, id));
  }
  for (const id of whole) {
    // Safe to repeat: a cancelled measurement stays cancelled.
    const ask = { method: "POST", repeatable: true, signal } as const;
    output.add(await gateway.read(`/api/measurement/${id}/cancel`, cancelledSchema, ask));
  }
  output.finish();
  return exitCodes.ok;
}
