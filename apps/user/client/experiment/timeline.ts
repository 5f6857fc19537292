/** `vantage experiment timeline`: control and data plane, sorted by time. */
import { atOnce } from "../../../../lib/base/list/steps.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { complain } from "../../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { file, text } from "../../../../lib/command/command/kinds.ts";
import { openStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import { bothPlanes } from "../../../../lib/measuring/experiment/both-planes.ts";
import type { ExperimentLedger, KeptEvent } from "../../../../lib/measuring/experiment/journal.ts";
import type { TimeLineRow } from "../../../../lib/measuring/experiment/time-line.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { timeLineUpdatesMax } from "../limits.ts";
import { storeAddressOf } from "../replies/run-results.ts";
import { begunExperiment, experimentArgument, readLedger } from "./experiment-id.ts";
import { printed } from "./printed.ts";
import { storedRoutes } from "./stored-routes.ts";
import { clocksText, withinColumn } from "./tables.ts";

const columns: readonly Column<TimeLineRow>[] = [
  { name: "time_ns", head: null, value: ({ timeNs }) => String(timeNs) },
  { name: "at_ns", head: null, value: ({ atNs }) => String(atNs) },
  { name: "time", head: "time (UTC)", value: ({ atNs }) => timeText(atNs) },
  withinColumn(),
  { name: "plane", head: "plane", value: ({ plane }) => plane },
  { name: "source", head: "source", value: ({ source }) => source },
  { name: "subject", head: "subject", value: ({ subject }) => subject },
  { name: "event", head: "event", value: ({ event }) => event },
  { name: "detail", head: "detail", value: ({ detail }) => detail },
];

export const timeline = gatewayCommand({
  about: `Both planes in the order of their times: what was asked, what daemons and exchange servers made of it, when \
routers received it (first-sight), when probes took a new path (first-probe), losses and catchments.

Times are of the controller's clock, as far as a source's own was compared with it: ± says how sure that is, ? that \
it never was. time_ns is the time by the source's own clock, at_ns the one by the controller's.`,
  options: {
    store: {
      kind: text,
      placeholder: "ADDRESS",
      defaultText: "what the run saw of a collector",
      meaning: "a column store with the updates that collectors received: chdb:DIR, or http(s)://…",
    },
    config: { kind: file, short: "c", meaning: "the client's configuration, which names a store" },
  },
  arguments: { experiment: experimentArgument },
  examples: [
    "vantage experiment timeline 'prepend west' -o csv",
    "vantage experiment timeline --store chdb:/var/lib/vantage/store 'prepend west'",
  ],
  act: async (session, { experiment, store, config }) => {
    const isStored = store !== null || config !== null;
    const address = isStored ? storeAddressOf({ kind: "store", storeAddress: store, config }) : null;
    const ledger = await readLedger(await session.open(), experiment, session.signal);
    const stored = address === null ? null : await fromStore(ledger, address);
    const planes = atOnce(bothPlanes(ledger, stored));
    printed(columns, planes.rows, session.format);
    const clocks = clocksText(planes);
    if (clocks !== "") {
      session.note(`clocks, against the controller's: ${clocks}`);
    }
    return exitCodes.ok;
  },
});

/** From a minute before the experiment's start to a minute after its last event: the collector's clock may be off. */
async function fromStore(ledger: ExperimentLedger, address: string): Promise<readonly KeptEvent[] | null> {
  const prefix = parsePrefix(begunExperiment(ledger)?.experiment.prefix ?? "");
  if (ledger.begun === null || prefix === null) {
    return null;
  }
  const marginNs = 60_000_000_000n;
  const startNs = BigInt(Math.floor(ledger.begun.startMs)) * 1_000_000n;
  const lastNs = ledger.events.reduce((last, { timeNs }) => {
    const at = BigInt(timeNs);
    return at > last ? at : last;
  }, startNs);
  const endNs = ledger.ended === null ? lastNs : BigInt(ledger.ended.atNs);
  await using store = await openStore(address);
  const { events, isCut } = await storedRoutes(store, prefix, [startNs - marginNs, endNs + marginNs]);
  if (isCut) {
    complain(
      "experiment timeline",
      `more than ${timeLineUpdatesMax} updates of the prefix: the rest is left out`,
    );
  }
  return events;
}

/** Milliseconds, UTC. */
function timeText(timeNs: bigint): string {
  return new Date(Number(timeNs / 1_000_000n)).toISOString();
}
