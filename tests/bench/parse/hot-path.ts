/**
 * Ours: `bun hot-path.ts FILE`. From a pcap file to Reply messages by the hot path, as a receiver does it.
 *
 * Each reply is checked by its tag and copied out, to where the receiver's ring would be. Says
 * `{"replies","elapsedMs"}`; the time is from the first read to the last reply, without the start of Bun.
 */
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import { counterMatch, repliesAt, repliesBytes } from "../../../ffi/hotpath/memory-layout.ts";
import { Savefile } from "../../native/savefile.ts";
import { everyAddress } from "../every-address.ts";
import { benchKey } from "./replies-file.ts";

const hotpath = new Hotpath();
hotpath.configureReceive({
  agentId: "bench",
  keys: [benchKey],
  sources: everyAddress,
  integrityCheck: true,
  tcp: { hasLeft: () => false },
});
using file = new Savefile(hotpath, Bun.argv[2] ?? "");
const messages = new Uint8Array(repliesBytes);

const startedAt = performance.now();
for (let end = file.read(); end >= 0; end = file.read()) {
  parse(end);
}
const elapsedMs = performance.now() - startedAt;
console.log(JSON.stringify({ replies: hotpath.counter(counterMatch), elapsedMs }));

/** A record that the end of the region cuts is kept for the next read. */
function parse(end: number): void {
  let from: number = file.recordsAt;
  for (;;) {
    const next = hotpath.receive(from, end, file.linkType, file.fractionNs);
    messages.set(hotpath.bytes.subarray(repliesAt, hotpath.repliesEnd()));
    if (next === from) {
      file.keep(from, end);
      return;
    }
    from = next;
  }
}
