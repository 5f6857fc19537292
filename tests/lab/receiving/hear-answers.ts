/**
 * Receives as an agent does: `bun hear-answers.ts INTERFACE pcap|xdp`. Says `pcap`, `native` or
 * `generic`, then, when nothing has come for a second, the capture's counts and each packet, a line of JSON each
 * (heard-answer.ts). A reply is that of one fixed time, so that it is always the same.
 */
import { openInput } from "../../../apps/probing/agent/engine/packet-input.ts";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import { repliesAt } from "../../../ffi/hotpath/memory-layout.ts";
import { everyAddress } from "../../bench/every-address.ts";
import { agentId, keys } from "../../vectors/hand/probe-sample.ts";
import { recordHeaderBytes } from "../../vectors/hand/savefile.ts";
import type { HeardAnswer } from "./heard-answer.ts";

const quietMs = 1000;
const patienceMs = 120_000;
const fixedSec = 1_700_000_000;

const [interfaceName = "", by] = Bun.argv.slice(2);
const hotpath = new Hotpath();
const tcp = { hasLeft: () => true };
hotpath.configureReceive({ agentId, keys, sources: everyAddress, integrityCheck: false, tcp });
const { capture, xdp, instead } = openInput(hotpath, interfaceName, by === "xdp" ? "xdp" : "pcap", 100);
xdp?.setSources(everyAddress);
console.log(xdp?.mode ?? instead ?? "pcap");

const heard: HeardAnswer[] = [];
const startedAtMs = performance.now();
let lastAtMs = 0;
while (performance.now() - (lastAtMs || startedAtMs) < (lastAtMs === 0 ? patienceMs : quietMs)) {
  const before = xdp?.taken ?? 0;
  const end = capture.read();
  const byXdp = (xdp?.taken ?? 0) > before;
  for (let at = capture.recordsAt; at < end; ) {
    at = note(at, byXdp);
    lastAtMs = performance.now();
  }
}
console.log(JSON.stringify(capture.stats()));
for (const one of heard) {
  console.log(JSON.stringify(one));
}
process.exit(0);

function note(at: number, byXdp: boolean): number {
  const word = (offset: number) => hotpath.view.getUint32(at + offset, true);
  const atMs = word(0) * 1000 + word(4) / 1e6;
  const next = at + recordHeaderBytes + word(8);
  hotpath.view.setUint32(at, fixedSec, true);
  hotpath.view.setUint32(at + 4, 0, true);
  hotpath.receive(at, next, capture.linkType, capture.fractionNs);
  const hex = (from: number, to: number) => Buffer.from(hotpath.bytes.subarray(from, to)).toString("hex");
  const packet = `${word(8)} ${word(12)} ${hex(at + recordHeaderBytes, next)}`;
  heard.push({ atMs, byXdp, packet, reply: hex(repliesAt, hotpath.repliesEnd()) });
  return next;
}
