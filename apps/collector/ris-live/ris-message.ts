/**
 * Changes as messages of RIS Live (`ris_message`, ris-live.ripe.net/manual): an UPDATE for each run of prefixes that
 * have the same attributes, a RIS_PEER_STATE for each session. A router is the `host`, by its address.
 */
import type { RouteEvent } from "../../../lib/bgp/route-event.ts";
import { formatAddress } from "../../../lib/ip/address.ts";
import { formatPrefix } from "../../../lib/ip/prefix.ts";
import type { HeardEvent } from "../../../lib/rib/heard-event.ts";
import { messagePrefixesMax } from "./limits.ts";

/** Events of one message; the first says what they have in common. */
type Run = readonly [HeardEvent, ...HeardEvent[]];

/** Neighbours that one message can say. */
export function runsOf(all: readonly HeardEvent[]): Run[] {
  const runs: [HeardEvent, ...HeardEvent[]][] = [];
  for (const heard of all) {
    const last = runs.at(-1);
    if (last !== undefined && last.length < messagePrefixesMax && isAlike(last[0], heard)) {
      last.push(heard);
    } else {
      runs.push([heard]);
    }
  }
  return runs;
}

function isAlike({ router, event: a }: HeardEvent, { router: other, event: b }: HeardEvent): boolean {
  return (
    a.route !== null &&
    router === other &&
    a.kind === b.kind &&
    a.peer === b.peer &&
    a.timeUs === b.timeUs &&
    (a.kind === "withdraw" || a.attributes === b.attributes)
  );
}

export function risMessage(run: Run, number: number): Readonly<Record<string, unknown>> {
  const [{ router, event, receivedUs }] = run;
  const { kind, peer, timeUs } = event;
  const [host, from] = [formatAddress(router), formatAddress(peer.address)];
  const head = {
    timestamp: Number(timeUs ?? receivedUs) / 1_000_000,
    ...{ peer: from, peer_asn: String(peer.asn) },
    ...{ id: `${host}-${from}-${number}`.replace(/[^\da-f]/g, "-"), host },
  };
  if (kind === "peer-up" || kind === "peer-down") {
    return { ...head, type: "RIS_PEER_STATE", state: kind === "peer-up" ? "connected" : "down" };
  }
  const prefixes = run.flatMap(({ event: { route } }) =>
    route === null ? [] : [formatPrefix(route.prefix)],
  );
  return kind === "announce"
    ? {
        ...head,
        type: "UPDATE",
        ...attributesOf(event),
        announcements: [{ next_hop: hopOf(event), prefixes }],
      }
    : { ...head, type: "UPDATE", withdrawals: prefixes };
}

function attributesOf({ attributes }: RouteEvent) {
  const { asPath, communities, origin, med, aggregator } = attributes;
  return {
    ...{ path: asPath, community: communities },
    ...(origin === null ? {} : { origin }),
    ...(med === null ? {} : { med }),
    ...(aggregator === null ? {} : { aggregator: `${aggregator.asn}:${formatAddress(aggregator.address)}` }),
  };
}

function hopOf({ attributes: { nextHop }, peer }: RouteEvent): string {
  return formatAddress(nextHop ?? peer.address);
}
