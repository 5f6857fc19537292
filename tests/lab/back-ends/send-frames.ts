/**
 * Sends frames of all kinds by one back end, with one fixed send time: `bun send-frames.ts packet|xdp INTERFACE`.
 *
 * More than all slots of the hot path's memory, so that each is used again while the kernel may still read from it.
 */
import type { FrameSender } from "../../../ffi/frame-sender.ts";
import { batchFramesMax } from "../../../ffi/frame-sender.ts";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import * as at from "../../../ffi/hotpath/memory-layout.ts";
import { findLink } from "../../../ffi/netlink/link.ts";
import { PacketSocket } from "../../../ffi/packet-socket.ts";
import { XdpSocket } from "../../../ffi/xdp-socket.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { tagKey } from "../../../lib/net/packet/tag.ts";
import { protocolNumber } from "../../../lib/net/wire/protocol-number.ts";
import { everyAddress } from "../../bench/every-address.ts";
import { framesSent } from "./frames-sent.ts";

const [kind = "packet", interfaceName = ""] = Bun.argv.slice(2);
const link = findLink(interfaceName);
if (link === null) {
  throw new Error(`Cannot find ${interfaceName}`);
}
const hotpath = new Hotpath();
hotpath.configureSend({ key: tagKey(new Uint8Array(16), "test", 0), layer: link.layer, mac: link.mac });
const mac = Uint8Array.of(2, 0, 0, 0, 0, 1);
hotpath.setRoutes(everyAddress.map((prefix) => ({ prefix, kind: "gateway", mac })));
using socket: FrameSender =
  kind === "xdp" ? new XdpSocket(hotpath, link, 0) : new PacketSocket(hotpath, link);

for (let sent = 0; sent < framesSent; ) {
  const { first, count: free } = socket.freeSlots();
  if (free === 0) {
    await Bun.sleep(1);
    continue;
  }
  const count = Math.min(framesSent - sent, batchFramesMax);
  for (let i = 0; i < count; i++) {
    putProbe(at.probesAt + (first + i) * at.probeBytes, sent + i);
  }
  hotpath.fill(first, first + count, 4711, 3);
  for (let taken = 0; taken < count; ) {
    taken += Math.max(0, socket.send(first + taken, count - taken));
  }
  sent += count;
}

function putProbe(start: number, index: number): void {
  // The other one when a slot is used again.
  const ipv6 = (index + (index >> 8)) % 2 === 1;
  const protocols = ipv6 ? (["udp", "icmpv6", "tcp"] as const) : (["udp", "icmp", "tcp"] as const);
  hotpath.bytes.set(address(ipv6 ? "2001:db8::9" : "198.51.100.9"), start);
  hotpath.bytes.set(address(ipv6 ? "2001:db8:1::1" : "192.0.2.1"), start + 16);
  hotpath.view.setUint16(start + at.probeSrcPortAt, 1024 + index, true);
  hotpath.view.setUint16(start + at.probeDstPortAt, 33_434, true);
  hotpath.view.setUint8(start + at.probeTtlAt, 1 + (index % 255));
  hotpath.view.setUint8(start + at.probeProtocolAt, protocolNumber[protocols[index % 3] ?? "udp"]);
  // Every fifth has a size, of both families, up to the interface's; slots change between all.
  const place = index % 256;
  const size = place % 25 === 0 ? 1500 : place % 5 === 0 ? 400 + index : 0;
  hotpath.view.setUint16(start + at.probeSizeAt, size, true);
}
