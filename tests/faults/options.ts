/** The command line of a run of faults. */
import { parseArgs } from "node:util";
import { type FaultName, faultNames, isFaultName } from "./fault-names.ts";
import { probesOfSpace } from "./probe-space.ts";

export interface FaultOptions {
  /** Probes of the campaign, over both agents; with a rate, unlimited. */
  readonly probes: number;
  /** Rate of each agent while faults are played; null = slow enough for the probes to outlast the faults. */
  readonly rateProbesPerSec: number | null;
  /** How long each engine is away. */
  readonly outageMs: number;
  /** From the end of a Vantage process to its next start; 5 s in our units of systemd. */
  readonly restartMs: number;
  /** The faults to play. */
  readonly faults: readonly FaultName[];
  /** Folder where the processes' logs are left; null = removed with everything else. */
  readonly logs: string | null;
  /** The report as one line of JSON, instead of tables. */
  readonly json: boolean;
}

export const usage = `Usage: bun tests/faults/main.ts [options]

  --probes=N       probes of the campaign, over two agents (1000000)
  --rate=N         instead: N probes/s of each agent, and as many probes as that takes (none)
  --outage=SEC     how long each engine is away (30)
  --restart=SEC    how long a supervisor waits before it starts a process again (5)
  --only=NAME,…    only these faults; there are ${faultNames.join(", ")}
  --logs=DIR       leave the processes' logs there
  --json           the report as one line of JSON
`;

const probesMin = 1000;

/** Throws an Error that says what is wrong. */
export function readOptions(args: readonly string[]): FaultOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      probes: { type: "string", default: "1000000" },
      rate: { type: "string" },
      outage: { type: "string", default: "30" },
      restart: { type: "string", default: "5" },
      only: { type: "string", default: "" },
      logs: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const rateProbesPerSec = values.rate === undefined ? null : number("rate", values.rate);
  const probes = rateProbesPerSec === null ? number("probes", values.probes) : 2 * probesOfSpace;
  if (!Number.isSafeInteger(probes / 2) || probes < probesMin) {
    throw new Error(`Cannot use --probes "${values.probes}": it takes an even number from ${probesMin} on`);
  }
  return {
    probes,
    rateProbesPerSec,
    outageMs: number("outage", values.outage) * 1000,
    restartMs: number("restart", values.restart) * 1000,
    faults: faultsOf(values.only),
    logs: values.logs ?? null,
    json: values.json,
  };
}

function faultsOf(list: string): readonly FaultName[] {
  const names = list.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !isFaultName(name));
  if (unknown !== undefined) {
    throw new Error(`Cannot use --only "${unknown}": there is no such fault`);
  }
  return names.length === 0 ? faultNames : faultNames.filter((name) => names.includes(name));
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || text === "") {
    throw new Error(`Cannot use --${name} "${text}": it takes a number from 0 on`);
  }
  return value;
}
