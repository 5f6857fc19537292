/**
 * Counts what arrives, from inside the receiver's namespace: `bun watch.ts PACKETS`.
 *
 * Says `ready`, then, when PACKETS have come or nothing has for a second, `{"packets","timed","elapsedMs"}`: all, and
 * those that came within that time. A look every 2 ms makes the time exact to 0.2 % over a second.
 */
import { ArrivalClock } from "./arrival-clock.ts";
import { receivedPackets, receiverInterface } from "./veth-link.ts";

const lookEveryMs = 2;
const quietMs = 1000;
/** Until the first packet: a scanner may take its time to start. */
const patienceMs = 20_000;

const expected = Number(Bun.argv[2]);
const before = receivedPackets(receiverInterface);
console.log("ready");

const clock = new ArrivalClock(performance.now());
const waitMs = () => (clock.packets === 0 ? patienceMs : quietMs);
while (clock.packets < expected && performance.now() - clock.lastAtMs < waitMs()) {
  Bun.sleepSync(lookEveryMs);
  clock.look(receivedPackets(receiverInterface) - before, performance.now());
}
console.log(JSON.stringify(clock.arrivals()));
