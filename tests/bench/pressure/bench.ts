/**
 * `bench pressure`: what does not go on waits one step before it, and nothing is lost. The store stops, and the broker
 * keeps what it does not take; the broker is full, and the agent keeps it on its disk, then stops to probe.
 */
import { Internet } from "../../lab/internet.ts";
import { LabError } from "../../lab/namespaces.ts";
import { internet } from "../../lab/topology.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { type BrokerFull, measureBrokerFull } from "./broker-full.ts";
import { campaignRate, probesMax, probesMin } from "./campaign.ts";
import { measureStoreStopped, type StoreStopped } from "./store-stopped.ts";

const probesDefault = 40_000;

interface Round {
  readonly store: StoreStopped;
  readonly broker: BrokerFull;
}

const decimals = { "packets/s": 0, "rows/s": 0, replies: 0, s: 2 } as const;

interface Row {
  readonly unit: keyof typeof decimals;
  readonly of: (round: Round) => number;
  /** Anything else is a fault of Vantage. */
  readonly mustBe0?: true;
}

const mustBe0 = true as const;

const rows: Readonly<Record<string, Row>> = {
  "store stopped: for": { unit: "s", of: ({ store }) => store.stoppedSec },
  "store stopped: sent before": { unit: "packets/s", of: ({ store }) => store.usualPacketsPerSec },
  "store stopped: sent meanwhile": { unit: "packets/s", of: ({ store }) => store.meanwhilePacketsPerSec },
  "store stopped: waiting in the broker at the end": { unit: "replies", of: ({ store }) => store.waiting },
  "store stopped: caught up after": { unit: "s", of: ({ store }) => store.caughtUpSec },
  "store stopped: catching up": { unit: "rows/s", of: ({ store }) => store.rowsPerSec },
  "store stopped: lost": { unit: "replies", of: ({ store }) => store.lost, mustBe0 },
  "store stopped: stored twice": { unit: "replies", of: ({ store }) => store.doubled, mustBe0 },
  "broker full: refused publish to replies on disk": { unit: "s", of: ({ broker }) => broker.spooledSec },
  "broker full: full spool to last probe": { unit: "s", of: ({ broker }) => broker.lastProbeSec },
  "broker full: senders paused for": { unit: "s", of: ({ broker }) => broker.pausedSec },
  "broker full: sent meanwhile": {
    unit: "packets/s",
    of: ({ broker }) => broker.pausedPacketsPerSec,
    mustBe0,
  },
  "broker full: held by the agent meanwhile": { unit: "replies", of: ({ broker }) => broker.held },
  "broker full: room to next probe": { unit: "s", of: ({ broker }) => broker.nextProbeSec },
  "broker full: room to empty spool": { unit: "s", of: ({ broker }) => broker.emptiedSec },
  "broker full: lost": { unit: "replies", of: ({ broker }) => broker.lost, mustBe0 },
  "broker full: published twice": { unit: "replies", of: ({ broker }) => broker.doubled, mustBe0 },
};

/** Throws when a reply is lost or there twice, or a packet leaves while senders should pause. */
export async function benchPressure(options: BenchOptions): Promise<BenchReport> {
  const count = options.count ?? probesDefault;
  if (count < probesMin || count > probesMax) {
    throw new RangeError(`Cannot use --count ${count}: it takes ${probesMin} to ${probesMax}`);
  }
  const rounds: Round[] = [];
  await using net = await Internet.start(internet);
  for (let round = 1; round <= options.rounds; round++) {
    rounds.push(
      sound({ store: await measureStoreStopped(net, count), broker: await measureBrokerFull(net, count) }),
    );
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "pressure",
    what: `${count} answered probes at ${campaignRate}/s, median of ${options.rounds} rounds`,
    subjects: Object.keys(rows),
    references: [],
    figures: Object.entries(decimals).map(([unit, digits]) => ({
      unit,
      decimals: digits,
      rounds: new Map(
        Object.entries(rows)
          .filter(([, row]) => row.unit === unit)
          .map(([subject, { of }]) => [subject, rounds.map(of)]),
      ),
    })),
    notes: [
      "Figures are sampled every 10 ms; packets of the pause are counted at the first router.",
      "The spool has room for a third of the campaign; caught up: no further behind than before the stop.",
      "Embedded broker and store, routers on the same cores.",
    ],
  };
}

function sound(round: Round): Round {
  const faults = Object.entries(rows).filter(([, row]) => row.mustBe0 && row.of(round) !== 0);
  if (faults.length > 0) {
    const told = faults.map(([subject, { unit, of }]) => `${subject} ${of(round)} ${unit}`);
    throw new LabError(`Must be 0: ${told.join("; ")}`);
  }
  return round;
}
