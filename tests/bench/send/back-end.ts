/**
 * A back end by itself: `bun back-end.ts packet|xdp GATEWAY_MAC PACKETS [SIZE]`.
 *
 * One thread takes probe records from memory, as the engine does from its ring, has the hot path fill each packet
 * (headers, tag, time, checksum) and sends, as fast as it goes.
 */
import { Clock } from "../../../ffi/clock.ts";
import { batchFramesMax, type FrameSender } from "../../../ffi/frame-sender.ts";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import * as at from "../../../ffi/hotpath/memory-layout.ts";
import { findLink } from "../../../ffi/netlink/link.ts";
import { PacketSocket } from "../../../ffi/packet-socket.ts";
import { XdpSocket } from "../../../ffi/xdp-socket.ts";
import { tagKey } from "../../../lib/net/packet/tag.ts";
import { tickOfUs, wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";
import { protocolNumber } from "../../../lib/net/wire/protocol-number.ts";
import { everyAddress } from "../every-address.ts";
import { ProbeStream } from "./probes.ts";
import { senderInterface } from "./veth-link.ts";

const [backEnd, macText = "", countText, sizeText = "0"] = Bun.argv.slice(2);
const link = findLink(senderInterface);
if (link === null) {
  throw new Error(`Cannot find ${senderInterface}: this runs inside the bench's namespace`);
}
const clock = new Clock();
const hotpath = new Hotpath();
hotpath.configureSend({ key: tagKey(new Uint8Array(16), "bench", 0), layer: link.layer, mac: link.mac });
const mac = Uint8Array.from(macText.split(":"), (part) => Number.parseInt(part, 16));
hotpath.setRoutes(everyAddress.map((prefix) => ({ prefix, kind: "gateway", mac })));
using socket: FrameSender =
  backEnd === "xdp" ? new XdpSocket(hotpath, link, 0) : new PacketSocket(hotpath, link);
Bun.spawnSync(["taskset", "-pc", "0", String(process.pid)]);

/** More destinations than the processor's caches hold packets of. */
const ringProbes = 65_536;
const ring = new Uint8Array(ringProbes * at.probeBytes);
const ringView = new DataView(ring.buffer);
const probes = new ProbeStream();
for (let start = 0; start < ring.length; start += at.probeBytes) {
  putProbe(start);
}

let next = 0;
for (let left = Number(countText); left > 0; left -= batchFramesMax) {
  sendBatch(Math.min(left, batchFramesMax));
  next = (next + batchFramesMax) % ringProbes;
}

function sendBatch(count: number): void {
  let free = socket.freeSlots();
  while (free.count === 0) {
    free = socket.freeSlots();
  }
  let { first } = free;
  const end = first + count;
  const records = ring.subarray(next * at.probeBytes, (next + count) * at.probeBytes);
  hotpath.bytes.set(records, at.probesAt + first * at.probeBytes);
  const tick = tickOfUs(clock.realtimeUs());
  hotpath.fill(first, end, wireTimeCode(tick), wrapOf(tick));
  while (first < end) {
    // A full device queue takes none: the count at the far end shows whether all got through.
    first += Math.max(0, socket.send(first, end - first));
  }
}

function putProbe(start: number): void {
  const probe = probes.next();
  ring.set(probe.dst, start);
  ring.set(probe.src, start + 16);
  ringView.setUint16(start + at.probeSrcPortAt, probe.srcPort, true);
  ringView.setUint16(start + at.probeDstPortAt, probe.dstPort, true);
  ringView.setUint8(start + at.probeTtlAt, probe.ttl);
  ringView.setUint8(start + at.probeProtocolAt, protocolNumber[probe.protocol]);
  ringView.setUint16(start + at.probeSizeAt, Number(sizeText), true);
}
