/**
 * Sends frames: `bun send-answers.ts INTERFACE MAC all|pairs|flood`; but for `flood` slowly enough that nothing is
 * lost.
 */
import { FrameSocket } from "../../native/frame-socket.ts";
import { answersSent, floodSent, pairsSent } from "./answers-sent.ts";

const pauseEvery = 64;

const [interfaceName = "", macText = "", which] = Bun.argv.slice(2);
const mac = Uint8Array.from(macText.split(":"), (byte) => Number.parseInt(byte, 16));
using socket = FrameSocket.open(interfaceName);
const makers = { all: answersSent, pairs: pairsSent, flood: floodSent };
const frames = makers[which as keyof typeof makers](mac);
for (const [i, frame] of frames.entries()) {
  while (!socket.write(frame)) {
    await Bun.sleep(1);
  }
  if (which !== "flood" && i % pauseEvery === pauseEvery - 1) {
    await Bun.sleep(1);
  }
}
