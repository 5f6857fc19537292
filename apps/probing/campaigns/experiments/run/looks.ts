/** An experiment's samples of the data plane: catchments, paths, and watches with one probe per target and interval. */
import { sharesOf, sitesOf } from "../../../../../lib/measuring/experiment/catchment-rounds.ts";
import type { Experiment } from "../../../../../lib/measuring/experiment/definition.ts";
import type { KeptEvent, SitesOfTargets } from "../../../../../lib/measuring/experiment/journal.ts";
import { pathTtls } from "../../../../../lib/measuring/experiment/limits.ts";
import { lossWindows } from "../../../../../lib/measuring/experiment/loss-windows.ts";
import type { PlannedAction } from "../../../../../lib/measuring/experiment/plan.ts";
import { familyOf, parseAddress } from "../../../../../lib/net/ip/address.ts";
import { formatProbeLine } from "../../../../../lib/net/wire/probe-line.ts";
import { lossWindowsMax } from "../../limits.ts";
import type { ProbeOrder, Received } from "./planes.ts";

const ports = { srcPort: 24_000, dstPort: 33_434 } as const;
/** A catchment's probes carry their round in the TTL, so a reply shows its probe's round. */
const [catchmentTtlMin, catchmentTtls] = [41, 23];
/** A watch's probes carry their turn in the TTL, above the length of any path, so that it has no effect. */
const [watchTtlMin, watchTurns] = [65, 190];
/** Seconds between the probes of a watch that a gateway can still pace. */
export const pacedSecMin = 0.02;
/** Consecutive losses beyond chance. */
const lostMin = 3;

/** Whether agents pace a watch. */
export function isClose({ everySec }: { readonly everySec: number }): boolean {
  return everySec < pacedSecMin;
}

export type Look = Extract<PlannedAction, { readonly probes: number }>;
type Probing = Experiment["probe"];

function linesOf({ targets, protocol }: Probing, ttls: readonly number[]): string[] {
  return targets.flatMap((text) => {
    const dst = parseAddress(text);
    if (dst === null) {
      return [];
    }
    const own = protocol === "icmp" && familyOf(dst) === 6 ? "icmpv6" : protocol;
    return ttls.map((ttl) => formatProbeLine({ dst, protocol: own, ttl, ...ports }));
  });
}

interface LookNumber {
  readonly key: string;
  /** Path samples count from 0; a catchment has the second at which the run began. */
  readonly number: number;
  /** In a catchment, all agents send. */
  readonly everySends?: boolean;
}

/** In a catchment and a watch one agent sends, and all of them receive; every agent traces paths. */
export function orderOf(
  look: Look,
  probing: Probing,
  { key, number, everySends = false }: LookNumber,
): ProbeOrder {
  const { agents } = probing;
  switch (look.kind) {
    case "catchment":
      return {
        key,
        agents: everySends ? agents : agents.slice(0, 1),
        lines: linesOf(probing, [catchmentTtl(number, look)]),
        pace: null,
      };
    case "paths": {
      const ttls = Array.from({ length: pathTtls }, (_, i) => i + 1);
      return { key: `${key}-${number}`, agents, lines: linesOf(probing, ttls), pace: null };
    }
    case "watch": {
      const lines = Array.from({ length: look.times }, (_, turn) =>
        linesOf(probing, [watchTtlMin + (turn % watchTurns)]),
      ).flat();
      const pace = { everyMs: Math.round(1000 * look.everySec), lines: probing.targets.length };
      return { key, agents: agents.slice(0, 1), lines, pace: isClose(look) ? null : pace };
    }
  }
}

/** Distinguishes nearby rounds, also from another run's: `runSec` is this run's start. */
function catchmentTtl(runSec: number, { round }: Look): number {
  return catchmentTtlMin + ((runSec + (round ?? 0)) % catchmentTtls);
}

/** The replies to this round's probes, without late ones to an earlier round. */
export function answersOf(look: Look, runSec: number, received: readonly Received[]): Received[] {
  return received.filter(({ ttl }) => ttl === catchmentTtl(runSec, look));
}

/** A round's sites, and its shares in words. */
export function roundOf(targets: readonly string[], received: readonly Received[]) {
  const replies = received.map(({ target, agent }) => ({ target, site: agent }));
  const { sites, strangers } = sitesOf({ targets, replies });
  const kept: SitesOfTargets = Object.fromEntries([...sites].map(([target, at]) => [target, [...at].sort()]));
  const { targetsBySite, unstable, silent } = sharesOf(sites);
  const shares = [...targetsBySite].sort().map(([site, count]) => `${site} ${count}`);
  const rest = [
    ...(unstable.length === 0 ? [] : [`${unstable.length} at several`]),
    ...(silent === 0 ? [] : [`${silent} silent`]),
    ...(strangers === 0 ? [] : [`${strangers} of other targets`]),
  ];
  return { kept, words: [...shares, ...rest].join(", ") };
}

/** By target: milliseconds of the round trip from the site that it uses, which receives its own probes. */
export function latenciesOf(received: readonly Received[]): Record<string, number> {
  const own = received.filter(
    ({ agent, sender, sentNs, receivedNs }) => agent === sender && receivedNs > sentNs,
  );
  return Object.fromEntries(
    own.map(({ target, sentNs, receivedNs }) => [
      target,
      Math.round(Number(receivedNs - sentNs) / 1e4) / 100,
    ]),
  );
}

/** A path sample as text, equal for equal paths; null = no reply. */
export function pathsText(received: readonly Received[]): string | null {
  const hops = received.map(({ agent, target, ttl, router }) => `${agent} ${target} ${ttl} ${router}`);
  return hops.length === 0 ? null : [...new Set(hops)].sort().join("\n");
}

/**
 * Windows in which a target's replies reached no site, from its first reply on. One agent sends, all receive: what is
 * missing at all of them had no path to the prefix.
 */
export function lossEvents(look: Look, { targets }: Probing, received: readonly Received[]): KeptEvent[] {
  const everyNs = BigInt(Math.round(1000 * look.everySec)) * 1_000_000n;
  const inOrder = received.toSorted((a, b) => Number(a.sentNs - b.sentNs));
  const [first, last] = [inOrder[0]?.sentNs ?? 0n, inOrder.at(-1)?.sentNs ?? 0n];
  const watchNs = BigInt(look.times) * everyNs;
  const byTarget = Map.groupBy(inOrder, ({ target }) => target);
  const watch = { everyNs, times: look.times, turns: watchTurns, lostMin };
  const losses = targets.flatMap((target) => targetEvents(target, byTarget.get(target) ?? [], watch));
  if (last - first <= watchNs + watchNs / 10n) {
    return losses;
  }
  const seconds = (Number(last - first) / 1e9).toFixed(1);
  const detail = `${look.times} probes to each target took ${seconds} s: losses are counted, their times inexact`;
  return [dataEvent(first, "all targets", "slow", detail), ...losses];
}

function targetEvents(
  target: string,
  received: readonly Received[],
  watch: Parameters<typeof lossWindows>[1],
): KeptEvent[] {
  const answered = received.map(({ sentNs, ttl, agent }) => ({ sentNs, turn: ttl - watchTtlMin, agent }));
  const windows = lossWindows(answered, watch);
  const events = windows.slice(0, lossWindowsMax).map(({ last, firstLostNs, again, lost }) => {
    const later =
      again === null
        ? "until the end"
        : `answered again ${secondsFrom(firstLostNs, again.sentNs)} later, at ${again.agent}`;
    const detail = `${lost} probes lost, the one before received at ${last.agent}; ${later}`;
    return dataEvent(firstLostNs, target, "loss", detail);
  });
  const more = windows[lossWindowsMax];
  return more === undefined
    ? events
    : [
        ...events,
        dataEvent(
          more.firstLostNs,
          target,
          "loss",
          `${windows.length - lossWindowsMax} more windows of loss`,
        ),
      ];
}

/** Probes that wait in a sender leave together. */
function secondsFrom(beginNs: bigint, endNs: bigint): string {
  return `${Math.max(0, Number(endNs - beginNs) / 1e9).toFixed(4)} s`;
}

function dataEvent(timeNs: bigint, subject: string, event: string, detail: string): KeptEvent {
  return { timeNs: String(timeNs), plane: "data", source: "agents", subject, event, detail };
}
