/**
 * Changes as messages of RIS Live (`ris_message`, ris-live.ripe.net/manual): an UPDATE for each run of prefixes that
 * have the same attributes, a RIS_PEER_STATE for each session. A router is the `host`, by its address.
 */
import type { RouteEvent } from "../../../../lib/net/bgp/route-event.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../../lib/net/ip/prefix.ts";
import type { EventChange } from "../watch/route-filter.ts";
import { messagePrefixesMax } from "./limits.ts";

/** Events of one message; the first says what they have in common. */
type Run = readonly [EventChange, ...EventChange[]];

/** Neighbours that one message can say. */
export function runsOf(all: readonly EventChange[]): Run[] {
  const runs: [EventChange, ...EventChange[]][] = [];
  for (const change of all) {
    const last = runs.at(-1);
    if (last !== undefined && last.length < messagePrefixesMax && isAlike(last[0], change)) {
      last.push(change);
    } else {
      runs.push([change]);
    }
  }
  return runs;
}

function isAlike(
  { received: one, raw }: EventChange,
  { received: other, raw: otherRaw }: EventChange,
): boolean {
  const [a, b] = [one.event, other.event];
  return (
    a.route !== null &&
    one.router === other.router &&
    raw === otherRaw &&
    a.kind === b.kind &&
    a.peer === b.peer &&
    a.timeUs === b.timeUs &&
    (a.kind === "withdraw" || a.attributes === b.attributes)
  );
}

export function risMessage(run: Run, number: number): Readonly<Record<string, unknown>> {
  const [{ received, raw }] = run;
  const { router, event, receivedUs } = received;
  const { kind, peer, timeUs } = event;
  const [host, from] = [formatAddress(router), formatAddress(peer.address)];
  const head = {
    timestamp: Number(timeUs ?? receivedUs) / 1_000_000,
    ...{ peer: from, peer_asn: String(peer.asn) },
    ...{ id: `${host}-${from}-${number}`.replace(/[^\da-f]/g, "-"), host },
    ...(raw === undefined ? {} : { raw }),
  };
  if (kind === "peer-up" || kind === "peer-down") {
    return { ...head, type: "RIS_PEER_STATE", state: kind === "peer-up" ? "connected" : "down" };
  }
  const routes = run.map((change) => change.received.event.route);
  const prefixes = routes.flatMap((route) => (route === null ? [] : [formatPrefix(route.prefix)]));
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
