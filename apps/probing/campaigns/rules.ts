/**
 * Conditions and computations of steps by name; the names are stored in journals. A rule may run twice for the same
 * step, if the process was killed before it stored the result; the journal accepts only one.
 */
import type { StepGiven, StepWork } from "../../../lib/measuring/campaign/run-steps.ts";
import { familyOf, parseAddress } from "../../../lib/net/ip/address.ts";
import { formatProbeLine } from "../../../lib/net/wire/probe-line.ts";
import type { StepMeasure } from "./campaign-services.ts";
import { specOf } from "./discovery/discover-fields.ts";
import { partLines } from "./discovery/part-lines.ts";
import type { RoundLines, RoundMeasure } from "./discovery/round-measure.ts";
import { answersWord, firstLine, partRule, roundRule, roundSteps } from "./discovery/rounds.ts";
import type { Step } from "./journal.ts";
import { readProbeText } from "./probe-text.ts";

type Condition = (measure: StepMeasure, step: Step) => Promise<boolean>;
type Rule = (measure: StepMeasure, step: Step) => Promise<Computed>;

/** The steps that follow; none = the run is over. */
interface Computed {
  readonly works: readonly StepWork[];
  /** Why the run ends early. */
  readonly reason?: string;
}

export const conditions: Readonly<Record<string, Condition>> = {
  /** All replies to the run's measurements so far can be read. */
  replies: (measure, { before }) => measure.areRepliesIn(before),
  /** Likewise, and all submitted probes can be read. */
  [answersWord]: (measure, { before, given }) =>
    roundsOf(measure).areAllIn(before, numberOf(given, "settle")),
};

export const rules: Readonly<Record<string, Rule>> = {
  "ping-responders": pingResponders,
  [roundRule]: (measure, step) => roundSteps(discoveryOf(measure, step), step),
};

/** Probe lines of a measurement, generated at its start; null = none. */
type Maker = (measure: StepMeasure, step: Step) => Promise<RoundLines | null>;

export const makers: Readonly<Record<string, Maker>> = {
  [partRule]: (measure, step) => partLines(roundsOf(measure), step),
};

function roundsOf({ rounds }: StepMeasure): RoundMeasure {
  if (rounds === null) {
    throw new RangeError("Only a gateway with a column store computes the rounds of a discovery");
  }
  return rounds;
}

function discoveryOf(measure: StepMeasure, step: Step) {
  const { userHash, agents } = { userHash: step.user_hash, agents: step.agents };
  const rounds = roundsOf(measure);
  return {
    measure: rounds,
    agents: async () => {
      const line = firstLine(specOf(step.given), await rounds.units(step));
      return (await measure.agents({ userHash, agents }, readProbeText(line))).able;
    },
  };
}

/** Ports of its probes, which define the flows: those of `vantage probes`. TTL: enough for every path. */
const ping = { srcPort: 24_000, dstPort: 33_434, ttl: 64 } as const;

/** Pings every address that replied to the run's probes, so many times; nothing follows when none did. */
async function pingResponders(measure: StepMeasure, { before, given }: Step): Promise<Computed> {
  const addresses = await measure.responders(before, numberOf(given, "at_most"));
  const lines = addresses.flatMap((text) => {
    const dst = parseAddress(text);
    const protocol = dst === null || familyOf(dst) === 6 ? "icmpv6" : "icmp";
    return dst === null ? [] : [formatProbeLine({ dst, protocol, ...ping })];
  });
  const probes = Array.from({ length: numberOf(given, "packets") }, () => lines)
    .flat()
    .join("\n");
  return { works: lines.length === 0 ? [] : [{ kind: "measure", agents: null, probes }] };
}

function numberOf(given: StepGiven | null, name: string): number {
  const value = given?.[name];
  if (typeof value !== "number") {
    throw new RangeError(`The rule is given no number "${name}"`);
  }
  return value;
}
