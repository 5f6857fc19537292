/** The back ends put the same bytes on the link, in the same order. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { linesOf } from "../bench/lines.ts";
import { senderInterface, VethLink } from "../bench/send/veth-link.ts";
import { framesSent } from "./back-ends/frames-sent.ts";
import { inNamespace, run } from "./namespaces.ts";

const script = (name: string) => join(import.meta.dirname, name);

let link: VethLink;
beforeAll(async () => {
  link = await VethLink.make();
});
afterAll(() => link[Symbol.asyncDispose]());

/** What arrives at the far end: a tap there sees a frame before it is dropped. */
async function framesOf(kind: "packet" | "xdp"): Promise<string[]> {
  const command = inNamespace(link.receiver, [
    process.execPath,
    script("back-ends/hear-frames.ts"),
    "bench1",
  ]);
  const listener = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const lines = linesOf(listener.stdout);
  await lines.next();
  await run(
    inNamespace(link.sender, [process.execPath, script("back-ends/send-frames.ts"), kind, senderInterface]),
  );
  const frames: string[] = [];
  for await (const line of lines) {
    frames.push(line);
  }
  return frames;
}

test("xdp sends the same frames as packet, byte for byte", async () => {
  const byPacket = await framesOf("packet");
  expect(byPacket.length).toBe(framesSent);
  expect(new Set(byPacket).size).toBe(framesSent);
  expect(Math.max(...byPacket.map((frame) => frame.length / 2))).toBe(14 + 1500);
  expect(await framesOf("xdp")).toEqual(byPacket);
});
