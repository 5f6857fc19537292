/**
 * That `bench exchange` works, on so few users that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { expect, test } from "bun:test";
import { join } from "node:path";

test.skipIf(process.getuid?.() !== 0)(
  "a policy is made and put into force, a route goes, and promises are timed",
  async () => {
    const command = [process.execPath, join(import.meta.dirname, "../main.ts"), "exchange", "--count", "5"];
    const child = Bun.spawn([...command, "--rounds", "1", "--json"], { stdout: "pipe", stderr: "inherit" });
    const lines = (await new Response(child.stdout).text()).trim().split("\n");
    const figures = lines.map((line) => JSON.parse(line));
    expect(figures.map(({ unit, value }) => [unit, value > 0])).toEqual(Array(7).fill(["ms", true]));
    expect(await child.exited).toBe(0);
  },
);
