/** What `vantage ping` prints for people: a line for each probe of a target, then a summary. Pure. */
import type { AddressNotes } from "../../../lib/answers/enrich/address-context.ts";
import { routerNotes } from "../../../lib/answers/enrich/router-notes.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { kindInWords, msInWords, storedMsInWords } from "../../../lib/measuring/paths/words.ts";
import { type Address, familyOf, formatAddress, sameAddress } from "../../../lib/net/ip/address.ts";
import { type PingEnding, type Pinged, pingFigures } from "./ping-figures.ts";

export function pingLine(
  { pinged: { target, agent }, sequence, outcome }: PingEnding,
  notes: AddressNotes,
): string {
  const who = agent === undefined ? "" : `${visible(agent)}  `;
  const head = `${who}${formatAddress(target.address)}  ${String(sequence).padStart(3)}`;
  if (typeof outcome === "string") {
    return `${head}  ${outcome === "lost" ? "no answer" : "could not be sent"}`;
  }
  const rtt = `${rttsInWords([outcome.rttMs], agent)} ms`;
  const words = kindInWords(outcome.kind) || (outcome.kind.kind === "ttl_exceeded" ? "TTL exceeded" : "");
  const from = sameAddress(outcome.from, target.address)
    ? ""
    : ` from ${formatAddress(outcome.from)}${knownInWords(outcome.from, notes)}`;
  const site = outcome.reply?.replySite ? `site ${visible(outcome.reply.replySite)}` : "";
  return [`${head}  ${rtt.padStart(10)}${from}`, words, site].filter((part) => part !== "").join("  ");
}

/** ` [gateway.example, AS64500 EXAMPLE-NET, DE Berlin]`, or nothing. */
function knownInWords(address: Address, notes: AddressNotes): string {
  const { cells, nameOf } = routerNotes(notes);
  const text = formatAddress(address);
  const words = [nameOf(text) ?? "", ...cells(text)].filter((word) => word !== "");
  return words.length === 0 ? "" : ` [${words.map(visible).join(", ")}]`;
}

function rttsInWords(times: readonly (number | null | undefined)[], agent: string | undefined): string[] {
  return agent === undefined ? times.map(msInWords) : storedMsInWords(times);
}

export function pingSummary(one: Pinged, notes: AddressNotes): string {
  const { answered, others, lost, unawaited, failed, lossPercent: loss, rtt, sent } = pingFigures(one);
  const times = rttsInWords([rtt?.minMs, rtt?.medianMs, rtt?.maxMs], one.agent).join(" / ");
  const { forged, late } = one.leftOut?.() ?? { forged: 0, late: 0 };
  const version = `IPv${familyOf(one.target.address)}`;
  const from = one.agent === undefined ? "" : ` from ${visible(one.agent)}`;
  const known = knownInWords(one.target.address, notes);
  const head = `${one.target.name} (${version}, ${one.target.protocol})${known}${from}`;
  const parts = [
    `${sent} sent`,
    `${answered} answered`,
    ...(others === 0 ? [] : [`${others} answered by others`]),
    ...(lost === 0 ? [] : [`${lost} without answer`]),
    ...(unawaited === 0 ? [] : [`${unawaited} not waited for`]),
    ...(failed === 0 ? [] : [`${failed} could not be sent`]),
    ...(loss === null ? [] : [`${loss.toFixed(0)} % lost`]),
    ...(forged === 0 ? [] : [`${forged} forged ${replies(forged)} left out`]),
    ...(late === 0 ? [] : [`${late} late or repeated ${replies(late)} left out`]),
  ];
  return `${head}: ${parts.join(", ")}; min / median / max ${times} ms`;
}

function replies(count: number): string {
  return count === 1 ? "reply" : "replies";
}
