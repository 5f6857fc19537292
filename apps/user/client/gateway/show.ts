/** `vantage show`: the progress of a measurement by agent. */
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import {
  type MeasurementStatus,
  measurementStatusSchema,
} from "../../../../lib/engines/gateway-client/answers.ts";
import { measurementAgentColumns, measurementColumns } from "./measurement-columns.ts";
import { measurementArgument, wholeId } from "./measurement-id.ts";

export const command = gatewayCommand({
  about: "As CSV it is a row for each agent.",
  options: {},
  arguments: measurementArgument,
  examples: [
    "vantage show last",
    "vantage show 6f1cf7a0",
    "vantage show 6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55",
  ],
  act: async (session, { id }) => {
    const gateway = await session.open();
    const { signal } = session;
    const path = `/api/measurements/${await wholeId(session, gateway, id)}/status`;
    printStatus(session, await gateway.read(path, measurementStatusSchema, { signal }));
    return exitCodes.ok;
  },
});

const wholeColumns: readonly Column<MeasurementStatus>[] = [
  ...measurementColumns,
  {
    name: "agents",
    head: null,
    value: ({ agents }) =>
      agents.map((agent) =>
        Object.fromEntries(measurementAgentColumns.map(({ name, value }) => [name, value(agent)])),
      ),
  },
];

/** In each row, so that rows of several measurements can be joined. */
function ofMeasurement({
  measurement_id: id,
}: MeasurementStatus): Column<MeasurementStatus["agents"][number]> {
  return { name: "measurement_id", head: null, value: () => id };
}

function printHeld({ screen }: GatewaySession, { agents }: MeasurementStatus): void {
  const held = agents.reduce((sum, { held_probes }) => sum + held_probes, 0);
  if (held > 0) {
    screen.print("");
    screen.print(
      `${grouped(held)} probes had to wait, as their destinations had enough for the moment: see vantage limits`,
    );
  }
}

/** The measurement, then its agents, and what held them up. */
export function printStatus(session: GatewaySession, status: MeasurementStatus): void {
  switch (session.format) {
    case "table":
      session.printRecord(measurementColumns, status);
      session.screen.print("");
      session.printRows(measurementAgentColumns, status.agents);
      printHeld(session, status);
      return;
    case "csv":
      session.printRows([ofMeasurement(status), ...measurementAgentColumns], status.agents);
      return;
    default:
      session.printRecord(wholeColumns, status);
  }
}
