/** Prints the frames that arrive, a line of hex each, until all have come: `bun hear-frames.ts INTERFACE`. */
import { FrameSocket } from "../../native/frame-socket.ts";
import { framesSent } from "./frames-sent.ts";

const waitMs = 1000;

using socket = FrameSocket.open(Bun.argv[2] ?? "");
console.log("ready");
const buffer = new Uint8Array(2048);
for (let heard = 0; heard < framesSent; ) {
  const bytes = socket.read(buffer);
  if (bytes === 0) {
    socket.wait(waitMs);
    continue;
  }
  console.log(Buffer.from(buffer.subarray(0, bytes)).toString("hex"));
  heard++;
}
