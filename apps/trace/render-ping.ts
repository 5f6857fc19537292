/** What `vantage ping` prints: a line for each probe of a target, then a summary; as text or as JSON. Pure. */
import { familyOf, formatAddress, sameAddress } from "../../lib/ip/address.ts";
import { lossPercent } from "../../lib/paths/hops.ts";
import type { Outcome, Path } from "../../lib/paths/path.ts";
import { roundedMs } from "../../lib/paths/rounded-ms.ts";
import { rttSummary } from "../../lib/paths/rtt-summary.ts";
import { kindInWords, msInWords, tickMsInWords } from "../../lib/paths/words.ts";
import { visible } from "../../lib/terminal/foreign-text.ts";
import type { NamedTarget } from "./target.ts";

export interface Pinged {
  readonly target: NamedTarget;
  /** Whose probes these are, when they are not of this machine. */
  readonly agent?: string;
  /** Of one flow and one TTL. */
  readonly path: Path;
}

/** `sequence` counts from 1. */
export function pingLine(
  pinged: Pinged,
  sequence: number,
  outcome: Outcome,
  output: "text" | "json",
): string {
  return output === "json" ? jsonLine(pinged, sequence, outcome) : textLine(pinged, sequence, outcome);
}

export function pingSummary(pinged: Pinged, output: "text" | "json"): string {
  return output === "json" ? jsonSummary(pinged) : textSummary(pinged);
}

function textLine({ target, agent }: Pinged, sequence: number, outcome: Outcome): string {
  const who = agent === undefined ? "" : `${visible(agent)}  `;
  const head = `${who}${formatAddress(target.address)}  ${String(sequence).padStart(3)}`;
  if (typeof outcome === "string") {
    return `${head}  ${outcome === "lost" ? "no answer" : "could not be sent"}`;
  }
  const rtt = `${rttInWords(outcome.rttMs, agent)} ms`;
  const words = kindInWords(outcome.kind) || (outcome.kind.kind === "ttlExceeded" ? "TTL exceeded" : "");
  const from = sameAddress(outcome.from, target.address) ? "" : ` from ${formatAddress(outcome.from)}`;
  return `${head}  ${rtt.padStart(10)}${from}${words === "" ? "" : `  ${words}`}`;
}

/** What comes by way of the store is known to 0.1 ms. */
function rttInWords(ms: number | null, agent: string | undefined): string {
  return agent === undefined ? msInWords(ms) : tickMsInWords(ms);
}

function jsonLine({ target, agent }: Pinged, sequence: number, outcome: Outcome): string {
  const answer = typeof outcome === "string" ? null : outcome;
  return JSON.stringify({
    ...(agent === undefined ? {} : { agent }),
    target: target.name,
    address: formatAddress(target.address),
    sequence,
    outcome: answer === null ? outcome : "answered",
    from: answer === null ? null : formatAddress(answer.from),
    rttMs: roundedMs(answer?.rttMs ?? null),
    answer: answer?.kind ?? null,
  });
}

/** Only answers of the target itself count for its loss and times; probes still in flight are not lost. */
function figuresOf({ target, path }: Pinged) {
  const own = path.answers().filter(({ from }) => sameAddress(from, target.address));
  const rtt = rttSummary([own.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]))]);
  const { sent, answered, lost, failed } = path.totals();
  return {
    sent,
    answered: own.length,
    lossPercent: lossPercent({ probes: answered + lost + failed, answered: own.length }),
    minMs: roundedMs(rtt?.minMs ?? null),
    medianMs: roundedMs(rtt?.medianMs ?? null),
    maxMs: roundedMs(rtt?.maxMs ?? null),
  };
}

function textSummary(one: Pinged): string {
  const { sent, answered, lossPercent: loss, minMs, medianMs, maxMs } = figuresOf(one);
  const times = [minMs, medianMs, maxMs].map((ms) => rttInWords(ms, one.agent)).join(" / ");
  const version = `IPv${familyOf(one.target.address)}`;
  const from = one.agent === undefined ? "" : ` from ${visible(one.agent)}`;
  const head = `${one.target.name} (${version}, ${one.target.protocol})${from}`;
  return `${head}: ${sent} sent, ${answered} answered, ${loss.toFixed(0)} % lost; min / median / max ${times} ms`;
}

function jsonSummary(one: Pinged): string {
  const { name, address } = one.target;
  const from = one.agent === undefined ? {} : { agent: one.agent };
  return JSON.stringify({ ...from, target: name, address: formatAddress(address), summary: figuresOf(one) });
}
