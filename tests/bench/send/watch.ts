/**
 * Counts what arrives, from inside the receiver's namespace: `bun watch.ts PACKETS`.
 *
 * Says `ready`, then, when PACKETS have come or nothing has for a second, `{"packets","elapsedMs"}`: from the first
 * look that saw one to the first that saw the last one. A look every 2 ms makes that exact to 0.2 % over a second.
 */
import { receivedPackets, receiverInterface } from "./veth-link.ts";

const lookEveryMs = 2;
const quietMs = 1000;
/** Until the first packet: a scanner may take its time to start. */
const patienceMs = 20_000;

const expected = Number(Bun.argv[2]);
const before = receivedPackets(receiverInterface);
console.log("ready");

const startedAt = performance.now();
let seen = 0;
let seenAtFirst = 0;
let firstAt = 0;
let lastAt = startedAt;
while (seen < expected && performance.now() - lastAt < (seen === 0 ? patienceMs : quietMs)) {
  Bun.sleepSync(lookEveryMs);
  const count = receivedPackets(receiverInterface) - before;
  if (count > seen) {
    lastAt = performance.now();
    if (seen === 0) {
      firstAt = lastAt;
      seenAtFirst = count;
    }
    seen = count;
  }
}
console.log(JSON.stringify({ packets: seen, timed: seen - seenAtFirst, elapsedMs: lastAt - firstAt }));
