/** Folders of a run, on disk and in memory. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunFolder } from "./run-folder.ts";

test("both folders take files, and are gone afterwards, with what they are mounted from", () => {
  const folder = new RunFolder();
  for (const place of [folder.small, folder.large]) {
    writeFileSync(join(place, "a"), "b");
  }
  folder[Symbol.dispose]();
  expect([folder.small, folder.large].map((place) => existsSync(place))).toEqual([false, false]);
  expect(readFileSync("/proc/mounts", "utf8")).not.toContain(folder.small);
});

test.skipIf(process.getuid?.() !== 0)(
  "what a killed run has left in memory goes with the next one",
  async () => {
    const program = `
    const { RunFolder } = await import("${import.meta.dirname}/run-folder.ts");
    const folder = new RunFolder();
    console.log(JSON.stringify([folder.small, folder.large]));
    process.kill(process.pid, "SIGKILL");`;
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
    const [left = "", large = ""]: string[] = JSON.parse(await new Response(child.stdout).text());
    await child.exited;
    const isMounted = () => readFileSync("/proc/mounts", "utf8").includes(left);
    // Where there is too little memory it is on disk, where nothing says whose it was.
    expect(isMounted()).toBe(left !== large);
    new RunFolder()[Symbol.dispose]();
    expect([isMounted(), existsSync(left)]).toEqual([false, left === large]);
    rmSync(large, { recursive: true });
  },
);
