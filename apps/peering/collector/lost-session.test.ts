/** A session that was lost, as BIRD 2.0.12 notes it in its file of MRT when the neighbour's daemon was killed. */
import { expect, test } from "bun:test";
import { eventsOfRecord } from "../../../lib/net/bgp/mrt-message.ts";
import { noAttributes } from "../../../lib/net/bgp/path-attributes.ts";
import { type RouteEvent, sessionEvent } from "../../../lib/net/bgp/route-event.ts";
import { address, formatAddress } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { withPeer } from "./lost-session.ts";

const router = address("192.0.2.101");
const [west, east] = [address("2001:db8:f0::1"), address("2001:db8:f1::1")];
/** AS 64500 and 64601, interface 0, IPv6, both addresses zero, from Established to Idle. */
const noted = `0000fbf40000fc5900000002${"00".repeat(32)}00060001`;
const [lost] = eventsOfRecord({ timeSec: 1, type: 16, subtype: 5, body: Uint8Array.fromHex(noted) });

const from = (peer: Uint8Array, asn = 64_500) => ({
  timeUs: 1n,
  peer: { table: "in" as const, address: peer, asn, routerId: null },
});
const route = { prefix: prefixOf(address("2001:db8:51::"), 48), pathId: null };
const announce = (peer: Uint8Array, asn?: number): RouteEvent => ({
  ...{ ...from(peer, asn), kind: "announce", family: null, route, attributes: noAttributes() },
});

/** A table with these events, and what becomes of the loss there. */
function after(...events: readonly RouteEvent[]) {
  const table = new LiveTable();
  for (const event of events) {
    table.apply(router, event, 1n);
  }
  const event = lost === undefined ? null : withPeer(table, { router, event: lost, nowUs: 2n });
  if (event !== null) {
    table.apply(router, event, 2n);
  }
  return {
    gaps: table.gaps,
    peers: table.exact(route.prefix).map(({ peer }) => formatAddress(peer.address)),
  };
}

test("it is that of the only neighbour with its AS, and takes the routes along", () => {
  expect(lost).toMatchObject({ kind: "peer-down", peer: { asn: 64_500 } });
  const other = address("2001:db8:f2::1");
  expect(after(announce(west), announce(other, 64_602))).toEqual({ gaps: [], peers: ["2001:db8:f2::1"] });
  expect(after(sessionEvent("peer-up", from(west)), announce(west))).toEqual({ gaps: [], peers: [] });
});

test("with two such neighbours it is not known which, and that is stated; one that is down was not it", () => {
  const { gaps, peers } = after(announce(west), announce(east));
  expect(peers).toEqual(["2001:db8:f0::1", "2001:db8:f1::1"]);
  expect(gaps).toMatchObject([
    {
      ...{ router, fromUs: 2n, toUs: 2n },
      reason: "a session with AS64500 was lost, and the file does not say which of 2",
    },
  ]);
  const down = sessionEvent("peer-down", from(east));
  expect(after(announce(west), announce(east), down)).toEqual({ gaps: [], peers: [] });
});

test("of an AS that nobody has it is nothing", () => {
  expect(after(announce(west, 64_602))).toEqual({ gaps: [], peers: ["2001:db8:f0::1"] });
});
