/**
 * The back end `packet` by itself: `bun back-end.ts GATEWAY_MAC PACKETS`.
 *
 * One thread puts probes where the engine's ring would, has the hot path fill each packet anew (headers, tag, time,
 * checksum) and sends, as fast as it goes.
 */
import { Clock } from "../../../ffi/clock.ts";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import * as at from "../../../ffi/hotpath/memory-layout.ts";
import { findLink } from "../../../ffi/netlink/link.ts";
import { PacketSocket } from "../../../ffi/packet-socket.ts";
import { tagKey } from "../../../lib/packet/tag.ts";
import { tickOfUs, wireTimeCode, wrapOf } from "../../../lib/packet/time-code.ts";
import { protocolNumber } from "../../../lib/wire/protocol-number.ts";
import { everyAddress } from "../every-address.ts";
import { ProbeStream } from "./probes.ts";
import { senderInterface } from "./veth-link.ts";

/** As the engine's sender does: a batch has one send time. */
const batchProbes = 64;

const [macText = "", countText] = Bun.argv.slice(2);
const link = findLink(senderInterface);
if (link === null) {
  throw new Error(`Cannot find ${senderInterface}: this runs inside the bench's namespace`);
}
const clock = new Clock();
const hotpath = new Hotpath();
hotpath.configureSend({ key: tagKey(new Uint8Array(16), "bench", 0), layer: link.layer, mac: link.mac });
const mac = Uint8Array.from(macText.split(":"), (part) => Number.parseInt(part, 16));
hotpath.setRoutes(everyAddress.map((prefix) => ({ prefix, kind: "gateway", mac })));
using socket = new PacketSocket(hotpath, link);

const probes = new ProbeStream();
for (let left = Number(countText); left > 0; left -= batchProbes) {
  sendBatch(Math.min(left, batchProbes));
}

function sendBatch(count: number): void {
  for (let slot = 0; slot < count; slot++) {
    putProbe(at.probesAt + slot * at.probeBytes);
  }
  const tick = tickOfUs(clock.realtimeUs());
  hotpath.fill(0, count, wireTimeCode(tick), wrapOf(tick));
  for (let sent = 0; sent < count; ) {
    // A full device queue takes none: the count at the far end shows whether all got through.
    sent += Math.max(0, socket.send(sent, count - sent));
  }
}

function putProbe(start: number): void {
  const probe = probes.next();
  hotpath.bytes.set(probe.dst, start);
  hotpath.bytes.set(probe.src, start + 16);
  hotpath.view.setUint16(start + at.probeSrcPortAt, probe.srcPort, true);
  hotpath.view.setUint16(start + at.probeDstPortAt, probe.dstPort, true);
  hotpath.view.setUint8(start + at.probeTtlAt, probe.ttl);
  hotpath.view.setUint8(start + at.probeProtocolAt, protocolNumber[probe.protocol]);
}
