/** `vantage show`: how far a measurement is, agent by agent. */
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { type MeasurementStatus, measurementStatusSchema } from "./answers.ts";
import { gatewayCommand } from "./command.ts";
import { measurementAgentColumns, measurementColumns } from "./measurement-columns.ts";
import { measurementId } from "./measurement-id.ts";
import type { Session } from "./session.ts";

export const { run, options } = gatewayCommand({
  name: "show",
  purpose: "how far a measurement is, agent by agent",
  usage: "[options] ID",
  about: "As CSV it is a row for each agent.",
  options: {},
  check: (_values, positionals) => measurementId(positionals),
  act: show,
});

async function show(session: Session, id: string): Promise<number> {
  const gateway = await session.open();
  const path = `/api/measurements/${id}/status`;
  printStatus(session, await gateway.read(path, measurementStatusSchema, { signal: session.signal }));
  return exitCodes.ok;
}

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

/** The measurement, then its agents. */
export function printStatus(session: Session, status: MeasurementStatus): void {
  switch (session.format) {
    case "table":
      session.printRecord(measurementColumns, status);
      session.screen.print("");
      session.printRows(measurementAgentColumns, status.agents);
      return;
    case "csv":
      session.printRows(measurementAgentColumns, status.agents);
      return;
    default:
      session.printRecord(wholeColumns, status);
  }
}
