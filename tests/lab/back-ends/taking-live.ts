/** The back end `live` with its thread in the kernel's call, as a sender has it at a high rate. */
import type { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import { allocateLiveMemory, liveOrder, orderAt, takingAt } from "../../../ffi/live/live-memory.ts";
import { LiveSender } from "../../../ffi/live/live-sender.ts";
import type { Link } from "../../../ffi/netlink/link.ts";
import { PacketSocket } from "../../../ffi/packet-socket.ts";

/** Worth a thread, for as long as frames come. */
const anyRateProbesPerSec = 1e9;

/** Resolves when frames are taken. */
export async function takingLive(hotpath: Hotpath, link: Link): Promise<LiveSender> {
  const memory = allocateLiveMemory();
  const sender = new LiveSender(hotpath, link, {
    memory,
    askedProbesPerSec: () => anyRateProbesPerSec,
    makeBelow: () => new PacketSocket(hotpath, link),
  });
  const worker = new Worker(new URL("../../../apps/probing/agent/engine/live-worker.ts", import.meta.url));
  worker.postMessage({ memory });
  worker.unref();
  const words = new Int32Array(memory);
  Atomics.store(words, orderAt / 4, liveOrder.run);
  Atomics.notify(words, orderAt / 4);
  while (Atomics.load(words, takingAt / 4) === 0) {
    await Bun.sleep(1);
  }
  return sender;
}
