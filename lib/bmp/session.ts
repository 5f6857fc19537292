/** The connection of one router, from message to message: what its peers have agreed on decides how routes are read. */
import type { NlriReader } from "../bgp/nlri.ts";
import type { Open } from "../bgp/open.ts";
import { eventsOfUpdate, type RouteEvent, type RoutePeer, sessionEvent } from "../bgp/route-event.ts";
import { messageTypeOf, messageTypes, readUpdate } from "../bgp/update.ts";
import { type Family, formatAddress } from "../ip/address.ts";
import { type BmpMessage, type PeerHead, readMessage } from "./message.ts";

interface Opens {
  readonly sent: Open;
  readonly received: Open;
}

export class BmpSession {
  /** What the router calls itself; null until it has said so. */
  name: string | null = null;
  readonly #opens = new Map<string, Opens>();

  /** The events of a whole message. Throws RangeError with the reason; the session can go on. */
  take(bytes: Uint8Array): RouteEvent[] {
    const message = readMessage(bytes);
    switch (message.type) {
      case "begin":
        this.name = message.name ?? this.name;
        return [];
      case "routes":
        return this.#routes(message);
      case "peer up":
        this.#opens.set(keyOf(message.peer), message);
        return [sessionEvent("peer-up", fromOf(message.peer))];
      case "peer down":
        this.#opens.delete(keyOf(message.peer));
        return [sessionEvent("peer-down", fromOf(message.peer))];
      default:
        return [];
    }
  }

  #routes({ peer, update }: Extract<BmpMessage, { type: "routes" }>): RouteEvent[] {
    if (messageTypeOf(update) !== messageTypes.update) {
      throw new RangeError("a message of routes has no whole UPDATE");
    }
    const nlri = nlriOf(this.#opens.get(keyOf(peer)), peer.isOut);
    return [...eventsOfUpdate(readUpdate(update, { asnBytes: peer.asnBytes, nlri }), fromOf(peer))];
  }
}

/** Path ids come where one side sends and the other takes them; in Adj-RIB-Out the router is who sends. */
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

function fromOf(head: PeerHead): Pick<RouteEvent, "timeUs" | "peer"> {
  const { address, asn, routerId, timeUs } = head;
  return { timeUs, peer: { table: tableOf(head), address, asn, routerId } };
}

function tableOf({ isLocalTable, isOut, isPostPolicy }: PeerHead): RoutePeer["table"] {
  if (isLocalTable) {
    return "local";
  }
  const side = isOut ? "out" : "in";
  return isPostPolicy ? `${side}-post-policy` : side;
}
