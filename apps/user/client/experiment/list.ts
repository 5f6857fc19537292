/** `vantage experiment list`, `pause`, `resume`, `stop`, `remove`, `import`: experiments at the probing gateway. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as v from "valibot";
import { experimentAnswer } from "../../../../lib/base/api/experiments.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { folder } from "../../../../lib/command/command/kinds.ts";
import { jsonHeaders } from "../peering/lease-arguments.ts";
import { allExperiments, experimentArgument, experimentId } from "./experiment-id.ts";

const journalFile = "journal.ndjson";

type Experiment = v.InferOutput<typeof experimentAnswer>;

const experimentColumns: readonly Column<Experiment>[] = [
  { name: "id", head: "experiment", value: ({ id }) => id },
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "begun_at", head: "begun", value: (one) => one.begun_at },
  { name: "state", head: "state", value: ({ state }) => state },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "ended_at", head: null, value: (one) => one.ended_at },
  { name: "actions", head: "actions", align: "right", value: ({ actions }) => actions },
  { name: "grant_id", head: null, value: (one) => one.grant_id },
];

export const list = gatewayCommand({
  about: "The newest first.",
  options: {},
  arguments: {},
  examples: ["vantage experiment list", "vantage experiment list -o json"],
  act: async (session) => {
    const rows = await allExperiments(await session.open(), session.signal);
    session.printRows(experimentColumns, rows, "no experiment; start one with: vantage experiment run FILE");
    return exitCodes.ok;
  },
});

/** Pause, resume, stop. */
export function changing(kind: "pause" | "resume" | "stop", about: string) {
  return gatewayCommand({
    about,
    options: {},
    arguments: { experiment: experimentArgument },
    examples: [`vantage experiment ${kind} 'prepend west'`],
    act: async (session, { experiment }) => {
      const gateway = await session.open();
      const { signal } = session;
      const id = await experimentId(gateway, experiment, signal);
      const ask = { method: "POST", signal } as const;
      const path = `/api/experiments/${id}/${kind}`;
      session.printRecord(experimentColumns, await gateway.read(path, experimentAnswer, ask));
      return exitCodes.ok;
    },
  });
}

export const remove = gatewayCommand({
  about: `Removes an experiment that has ended, which makes room in what the gateway stores for you (stored_bytes in \
vantage limits). Its measurements stay.`,
  options: {},
  arguments: { experiment: experimentArgument },
  examples: ["vantage experiment remove 'prepend west'"],
  act: async (session, { experiment }) => {
    const gateway = await session.open();
    const { signal } = session;
    const id = await experimentId(gateway, experiment, signal);
    await gateway.request(`/api/experiments/${id}`, { method: "DELETE", signal });
    session.note(`removed ${id}`);
    return exitCodes.ok;
  },
});

export const importing = gatewayCommand({
  about: `Sends the journal of an experiment that ran in a command, as earlier versions of vantage experiment run did, \
to the gateway. The same journal again replaces it.`,
  options: {},
  arguments: {
    journal: { kind: folder, placeholder: "FOLDER", required: true, meaning: "as prepend.yaml.journal" },
  },
  examples: ["vantage experiment import prepend.yaml.journal"],
  act: async (session, { journal }) => {
    const path = join(journal, journalFile);
    if (!existsSync(path)) {
      throw cannot(`${journal} has no journal of an experiment (${journalFile})`);
    }
    // The last line may be cut off.
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    const gateway = await session.open();
    const body = JSON.stringify({ lines });
    const ask = { method: "POST", headers: jsonHeaders, body, signal: session.signal } as const;
    session.printRecord(
      experimentColumns,
      await gateway.read("/api/experiments/import", experimentAnswer, ask),
    );
    return exitCodes.ok;
  },
});
