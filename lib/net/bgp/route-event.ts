/** An event of one peer, as a monitor sees it; the same for MRT files and BMP. */
import type { Address, Family } from "../ip/address.ts";
import type { RoutePrefix } from "./nlri.ts";
import { noAttributes, type PathAttributes } from "./path-attributes.ts";
import type { Damage, SessionFacts } from "./read-attributes.ts";
import { MalformedUpdate, readUpdate, type Update } from "./update.ts";

export interface RoutePeer {
  /**
   * The router's view: received from the peer, before or after the policy; sent to the peer; the router's own table.
   */
  readonly table: "in" | "in-post-policy" | "out" | "out-post-policy" | "local";
  /** All zero for the router's own table. */
  readonly address: Address;
  readonly asn: number;
  /** Null = not given by the source. */
  readonly routerId: string | null;
}

type RouteEventKind = "announce" | "withdraw" | "table-end" | "peer-up" | "peer-down";

export interface RouteEvent {
  /** Microseconds since 1970; null = not given by the source. */
  readonly timeUs: bigint | null;
  readonly peer: RoutePeer;
  readonly kind: RouteEventKind;
  /** The family of an End-of-RIB event; null for all other events. */
  readonly family: Family | null;
  /** Null for an event of the whole session. */
  readonly route: RoutePrefix | null;
  /** Empty except for an announcement. */
  readonly attributes: PathAttributes;
}

type From = Pick<RouteEvent, "timeUs" | "peer">;

type Routes = Omit<Update, "discarded" | "otherFamilies" | "multiprotocol"> &
  Partial<Pick<Update, "multiprotocol">>;

/** Receives malformed attributes that are left out of routes. */
export type OnDiscarded = (damage: Damage, peer: RoutePeer) => void;

/** A malformed UPDATE of a peer (RFC 7606 s.2). */
export class MalformedRoutes extends RangeError {
  override readonly name = "MalformedRoutes";

  /** @param withdrawals of all routes that it names, as far as it can be read */
  constructor(
    readonly damage: Damage,
    readonly peer: RoutePeer,
    readonly withdrawals: readonly RouteEvent[],
  ) {
    super(damage.reason);
  }
}

/** What an UPDATE holds beside its route events. */
export interface Leftovers {
  readonly onDiscarded: OnDiscarded;
  /** Called for an UPDATE with routes of other families than IPv4 and IPv6 unicast. */
  readonly onOtherFamily?: () => void;
}

interface UpdateOrder extends From, Leftovers {
  readonly session: SessionFacts;
}

/**
 * The events of a whole UPDATE.
 *
 * @throws MalformedRoutes
 */
export function updateEvents(message: Uint8Array, order: UpdateOrder): RouteEvent[] {
  try {
    const update = readUpdate(message, order.session);
    for (const damage of update.discarded) {
      order.onDiscarded(damage, order.peer);
    }
    if (update.otherFamilies > 0) {
      order.onOtherFamily?.();
    }
    return eventsOfUpdate(update, order);
  } catch (error) {
    if (!(error instanceof MalformedUpdate)) {
      throw error;
    }
    const { timeUs, peer } = order;
    const attributes = noAttributes();
    const withdrawals = [...error.withdrawn, ...error.announced].map((route) => ({
      ...{ timeUs, peer, kind: "withdraw" as const, family: null, route, attributes },
    }));
    throw new MalformedRoutes(error.damage, peer, withdrawals);
  }
}

/** Withdrawals first: a prefix that is in both lists is announced (RFC 4271 s.4.3). */
export function eventsOfUpdate(update: Routes, { timeUs, peer }: From): RouteEvent[] {
  const events: RouteEvent[] = [];
  if (update.withdrawn.length > 0) {
    const attributes = noAttributes();
    for (const route of update.withdrawn) {
      events.push({ timeUs, peer, kind: "withdraw", family: null, route, attributes });
    }
  }
  const { attributes: first, multiprotocol } = update;
  const [from, second] = [multiprotocol?.from ?? update.announced.length, multiprotocol?.attributes ?? first];
  for (const [i, route] of update.announced.entries()) {
    const attributes = i < from ? first : second;
    events.push({ timeUs, peer, kind: "announce", family: null, route, attributes });
  }
  if (update.endOfTable !== null) {
    events.push({ ...sessionEvent("table-end", { timeUs, peer }), family: update.endOfTable });
  }
  return events;
}

export function sessionEvent(kind: "table-end" | "peer-up" | "peer-down", from: From): RouteEvent {
  return { ...from, kind, family: null, route: null, attributes: noAttributes() };
}
