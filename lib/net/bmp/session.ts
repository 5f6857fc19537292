/** State of one router's BMP connection: its peers' negotiated capabilities decide how routes are read. */
import type { NlriReader } from "../bgp/nlri.ts";
import type { Open } from "../bgp/open.ts";
import type { SessionFacts } from "../bgp/read-attributes.ts";
import {
  type Leftovers,
  type OnDiscarded,
  type RouteEvent,
  type RoutePeer,
  sessionEvent,
  updateEvents,
} from "../bgp/route-event.ts";
import { messageTypeOf, messageTypes } from "../bgp/update.ts";
import { type Family, formatAddress } from "../ip/address.ts";
import {
  bodyOf,
  headsBytes,
  isRoutes,
  type PeerHead,
  peerHash,
  peerHeadOf,
  readMessage,
  samePeer,
  timeUsOf,
} from "./message.ts";

interface Opens {
  readonly sent: Open;
  readonly received: Open;
}

/** A peer's head, read once for all messages with the same one. */
interface KnownPeer {
  readonly message: Uint8Array;
  readonly peer: RoutePeer;
  readonly facts: SessionFacts;
}

/** A route server has a thousand peers, each with four tables. */
const knownMax = 4096;

export class BmpSession {
  /** The router's sysName; null until it has sent one. */
  name: string | null = null;
  readonly #opens = new Map<string, Opens>();
  /** By a hash of the head; on a collision the last one stays. */
  readonly #known = new Map<number, KnownPeer>();
  readonly #leftovers: Leftovers;

  constructor(onDiscarded: OnDiscarded = () => {}, onOtherFamily: () => void = () => {}) {
    this.#leftovers = { onDiscarded, onOtherFamily };
  }

  /**
   * The events of a whole message.
   *
   * @throws MalformedRoutes for a malformed UPDATE, RangeError for other damage; the session continues after both
   */
  take(bytes: Uint8Array): RouteEvent[] {
    if (isRoutes(bytes)) {
      return this.#routes(bytes);
    }
    const message = readMessage(bytes);
    switch (message.type) {
      case "begin":
        this.name = message.name ?? this.name;
        return [];
      case "peer up":
        this.#opens.set(keyOf(message.peer), message);
        this.#known.clear();
        return [sessionEvent("peer-up", { timeUs: timeUsOf(bytes), peer: peerOf(message.peer) })];
      case "peer down":
        this.#opens.delete(keyOf(message.peer));
        this.#known.clear();
        return [sessionEvent("peer-down", { timeUs: timeUsOf(bytes), peer: peerOf(message.peer) })];
      default:
        return [];
    }
  }

  #routes(message: Uint8Array): RouteEvent[] {
    const { peer, facts } = this.#peerOf(message);
    const update = bodyOf(message);
    if (messageTypeOf(update) !== messageTypes.update) {
      throw new RangeError("a message of routes has no whole UPDATE");
    }
    return updateEvents(update, {
      ...{ timeUs: timeUsOf(message), peer },
      ...{ session: facts, ...this.#leftovers },
    });
  }

  #peerOf(message: Uint8Array): KnownPeer {
    const hash = peerHash(message);
    const known = this.#known.get(hash);
    if (known !== undefined && samePeer(known.message, message)) {
      return known;
    }
    const head = peerHeadOf(message);
    const opens = this.#opens.get(keyOf(head));
    const facts = {
      ...{ asnBytes: head.asnBytes, nlri: nlriOf(opens, head.isOut), hasNextHops: false },
      isExternal: opens !== undefined && opens.sent.asn !== opens.received.asn,
    };
    const fresh = { message: Uint8Array.from(message.subarray(0, headsBytes)), peer: peerOf(head), facts };
    if (this.#known.size === knownMax) {
      this.#known.clear();
    }
    this.#known.set(hash, fresh);
    return fresh;
  }
}

/** Path ids are present when one side sends and the other receives them; in Adj-RIB-Out the router sends. */
function nlriOf(opens: Opens | undefined, isOut: boolean): NlriReader {
  const [sender, taker] = isOut ? [opens?.sent, opens?.received] : [opens?.received, opens?.sent];
  return {
    hasPathIds: (family: Family) =>
      sender?.paths.get(family)?.sends === true && taker?.paths.get(family)?.takes === true,
  };
}

/** All tables of a peer share its session. */
function keyOf({ distinguisher, address, isLocalTable }: PeerHead): string {
  return `${distinguisher} ${formatAddress(address)} ${isLocalTable}`;
}

function peerOf(head: PeerHead): RoutePeer {
  const { address, asn, routerId } = head;
  return { table: tableOf(head), address, asn, routerId };
}

function tableOf({ isLocalTable, isOut, isPostPolicy }: PeerHead): RoutePeer["table"] {
  if (isLocalTable) {
    return "local";
  }
  const side = isOut ? "out" : "in";
  return isPostPolicy ? `${side}-post-policy` : side;
}
