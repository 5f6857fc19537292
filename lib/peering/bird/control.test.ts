import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askBird, orderBird } from "./control.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-bird-control-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A BIRD that is reconfigured during each of its first answers to a question. */
async function interrupted(times: number): Promise<{ socket: string; heard: string[] } & Disposable> {
  const socket = join(folder, `${times}.ctl`);
  const heard: string[] = [];
  let left = times;
  const server = createServer((connection) => {
    connection.write("0001 BIRD 2.20.0 ready.\n");
    connection.on("data", (line) => {
      heard.push(String(line).trim());
      const isQuestion = heard.at(-1) !== "restrict";
      const isCutOff = isQuestion && left-- > 0;
      const answer = isQuestion ? "0000 whole\n" : "0016 Access restricted\n";
      connection.write(isCutOff ? "1007-a part\n8004 Stopped due to reconfiguration\n" : answer);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(socket, resolve);
  });
  return { socket, heard, [Symbol.dispose]: () => void server.close() };
}

test("a question that a reconfiguration interrupts is asked again, five times at most", async () => {
  using twice = await interrupted(2);
  expect((await askBird(twice.socket, "show route")).map(({ text }) => text)).toEqual(["whole"]);
  expect(twice.heard).toEqual(Array(3).fill(["restrict", "show route"]).flat());
  using always = await interrupted(9);
  await expect(askBird(always.socket, "show route")).rejects.toThrow("Stopped due to reconfiguration");
  expect(always.heard.filter((line) => line === "show route")).toHaveLength(5);
});

test("an order is given once, on a session that may change things", async () => {
  using bird = await interrupted(1);
  await expect(orderBird(bird.socket, "configure")).rejects.toMatchObject({ code: "refused" });
  expect(bird.heard).toEqual(["configure"]);
});
