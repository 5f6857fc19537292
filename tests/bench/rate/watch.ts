/**
 * Counts what arrives in a time, from inside the receiver's namespace: `bun watch.ts MILLISECONDS`.
 *
 * Says `ready`; then, that long after the first packet, `{"packets","elapsedMs"}`: those behind the first.
 */
import { receivedPackets, receiverInterface } from "../send/veth-link.ts";

const lookEveryMs = 0.2;
const patienceMs = 20_000;

const windowMs = Number(Bun.argv[2]);
const before = receivedPackets(receiverInterface);
console.log("ready");

const startedAtMs = performance.now();
while (receivedPackets(receiverInterface) === before && performance.now() - startedAtMs < patienceMs) {
  Bun.sleepSync(lookEveryMs);
}
const firstAtMs = performance.now();
const first = receivedPackets(receiverInterface);
Bun.sleepSync(windowMs);
const packets = receivedPackets(receiverInterface) - first;
console.log(JSON.stringify({ packets, elapsedMs: performance.now() - firstAtMs }));
