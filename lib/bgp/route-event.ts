/** What a monitor hears of one peer, as one line: MRT files and BMP give the same. */
import type { Address, Family } from "../ip/address.ts";
import type { RoutePrefix } from "./nlri.ts";
import { noAttributes, type PathAttributes } from "./path-attributes.ts";
import type { Update } from "./update.ts";

export interface RoutePeer {
  /** The router's: what the peer has sent, before or after the policy; what it was sent; the router's own. */
  readonly table: "in" | "in-post-policy" | "out" | "out-post-policy" | "local";
  /** All zero for the router's own table. */
  readonly address: Address;
  readonly asn: number;
  /** Null = the source does not say it. */
  readonly routerId: string | null;
}

type RouteEventKind = "announce" | "withdraw" | "table-end" | "peer-up" | "peer-down";

export interface RouteEvent {
  /** Microseconds since 1970; null = the source does not say it. */
  readonly timeUs: bigint | null;
  readonly peer: RoutePeer;
  readonly kind: RouteEventKind;
  /** Whose table has ended, where that is the event; null of all others. */
  readonly family: Family | null;
  /** Null where it is about the whole session. */
  readonly route: RoutePrefix | null;
  /** Empty but for an announcement. */
  readonly attributes: PathAttributes;
}

type From = Pick<RouteEvent, "timeUs" | "peer">;

/** Withdrawals first: a prefix that is in both lists is announced (RFC 4271 s.4.3). */
export function eventsOfUpdate(update: Update, { timeUs, peer }: From): RouteEvent[] {
  const events: RouteEvent[] = [];
  if (update.withdrawn.length > 0) {
    const attributes = noAttributes();
    for (const route of update.withdrawn) {
      events.push({ timeUs, peer, kind: "withdraw", family: null, route, attributes });
    }
  }
  for (const route of update.announced) {
    events.push({ timeUs, peer, kind: "announce", family: null, route, attributes: update.attributes });
  }
  if (update.endOfTable !== null) {
    events.push({ ...sessionEvent("table-end", { timeUs, peer }), family: update.endOfTable });
  }
  return events;
}

export function sessionEvent(kind: "table-end" | "peer-up" | "peer-down", from: From): RouteEvent {
  return { ...from, kind, family: null, route: null, attributes: noAttributes() };
}
