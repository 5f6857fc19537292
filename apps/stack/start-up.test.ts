import { expect, test } from "bun:test";
import { join } from "node:path";

/** A process of its own, whose standard error is read as it comes. */
const program = `
  const { StartUp } = await import(${JSON.stringify(join(import.meta.dirname, "start-up.ts"))});
  using startUp = new StartUp({ parts: ["broker", "store", "ingester"], isTerminal: false });
  startUp.step("store", "makes its tables");
  startUp.ready("broker");
  startUp.ready("broker");
  await Bun.stdin.text();
`;

test("each second it says what every part that is not ready does", async () => {
  const starting = Bun.spawn([process.execPath, "-e", program], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  for await (const text of starting.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.split("\n").length > 3) {
      starting.stdin.end();
    }
  }
  expect(await starting.exited).toBe(0);
  const [ready, ...each] = said.trimEnd().split("\n");
  expect(ready).toMatch(/^starting: broker is ready, after [\d.]+ s$/);
  expect(each.length).toBeGreaterThanOrEqual(2);
  for (const line of each) {
    expect(line).toMatch(/^starting, [\d.]+ s: store makes its tables, ingester waits$/);
  }
});
