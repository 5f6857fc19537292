/** A process that holds full tables of peers, and looks prefixes up: prints what it took as JSON. */
import { BmpSession } from "../../../lib/net/bmp/session.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { peakKbOf } from "../pipeline/process-usage.ts";
import { bmpMessage, prefixesPerUpdate, updateMessage } from "./told-routes.ts";

const router = address("192.0.2.254");
const lookUps = 20_000;

const [prefixes = 0, peers = 0] = process.argv.slice(2).map(Number);
const table = new LiveTable();
const session = new BmpSession();
const startedAtMs = performance.now();
for (let peer = 1; peer <= peers; peer++) {
  for (let first = 0; first < prefixes; first += prefixesPerUpdate) {
    const count = Math.min(prefixesPerUpdate, prefixes - first);
    const way = (first / prefixesPerUpdate) * 7 + peer;
    const update = updateMessage(peer, first, count, way);
    for (const event of session.take(bmpMessage(peer, update))) {
      table.apply(router, event, 1_700_000_000_000_000n);
    }
  }
}
const pathsPerSec = (prefixes * peers) / ((performance.now() - startedAtMs) / 1000);

/** The slowest but one in a hundred, of look-ups one by one. */
function slowMs(look: (index: number) => unknown): number {
  const times = new Float64Array(lookUps);
  for (let i = 0; i < lookUps; i++) {
    const from = performance.now();
    look((i * 7919) % prefixes);
    times[i] = performance.now() - from;
  }
  return times.sort()[Math.floor(lookUps * 0.99)] ?? 0;
}

const addressOf = (index: number) => {
  const at = 0x01_0000 + index;
  return address(`${at >>> 16}.${(at >>> 8) & 0xff}.${at & 0xff}.7`);
};
const { paths, attributes } = table.counts;
process.stdout.write(
  JSON.stringify({
    ...{ paths, attributes, pathsPerSec, peakMb: (peakKbOf(process.pid) * 1024) / 1e6 },
    exactMs: slowMs((index) => table.exact(prefixOf(addressOf(index), 24))),
    longestMs: slowMs((index) => table.longest(addressOf(index))),
    moreMs: slowMs((index) => [...table.moreSpecific(prefixOf(addressOf(index), 20))]),
  }),
);
