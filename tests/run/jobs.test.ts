/** Which jobs there are, in which order they run, and what is shown meanwhile. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Job, jobsOf, namedPart, testFilesOf } from "./jobs.ts";
import { Progress } from "./progress.ts";
import { nextOf, secondsLeft } from "./schedule.ts";
import { isAlone, isOfLongTier } from "./tier.ts";

const root = join(import.meta.dirname, "../..");
const filesOf = (tier: "usual" | "long") => jobsOf(root, tier).flatMap(({ testFiles }) => testFiles ?? []);
const jobOf = (name: string, seconds: number, cpuSeconds: number) => ({
  name,
  cost: { seconds, cpuSeconds },
});

test("every test file of the project is in exactly one job of the long tier", () => {
  expect(filesOf("long").toSorted()).toEqual(testFilesOf(root).map((path) => `./${path}`));
});

test("the usual tier is the long one without the files that say so in their head", async () => {
  const usual = new Set(filesOf("usual"));
  for (const file of filesOf("long")) {
    const [head = ""] = (await Bun.file(join(root, file)).text()).split("*/");
    const isLong = head.includes("\n * @tier long: ");
    expect([file, usual.has(file)]).toEqual([file, !isLong]);
  }
});

test("a file says its tier in its head comment, with the reason", () => {
  expect(isOfLongTier("/**\n * What it tests.\n *\n * @tier long: an hour\n */\nimport x")).toBe(true);
  expect(isOfLongTier("/** What it tests. */\n// @tier long: an hour\n")).toBe(false);
  expect(isOfLongTier("/**\n * What it tests.\n *\n * @tier long\n */\n")).toBe(false);
});

test("files of a room share a process, but for those that say why they have their own, and those of the long tier", async () => {
  const room = "tests/contract/peering-gateway";
  const jobs = new Map(jobsOf(root, "long").map(({ name, testFiles }) => [name, testFiles ?? []]));
  const inRoom = testFilesOf(root).filter((file) => file.startsWith(`${room}/`));
  const texts = await Promise.all(inRoom.map((file) => Bun.file(join(root, file)).text()));
  const alone = inRoom.filter((_, i) => isAlone(texts[i] ?? "") || isOfLongTier(texts[i] ?? ""));
  expect(alone).toContain(`${room}/krill.test.ts`);
  expect(alone.map((file) => jobs.get(file))).toEqual(alone.map((file) => [`./${file}`]));
  expect(jobs.get(room)).toEqual(inRoom.filter((file) => !alone.includes(file)).map((file) => `./${file}`));
  expect(isAlone("/** What it tests. */\n// @alone: why\n")).toBe(false);
});

test("steps, files and folders name jobs, and files of those that several share", () => {
  const testFiles = [
    "./lib/net/ip/address.test.ts",
    "./lib/net/ip/prefix.test.ts",
    "./lib/net/bgp/update.test.ts",
  ];
  const job: Job = { name: "unit", step: "unit", command: [], testFiles, limitSeconds: 1 };
  const named = (...words: string[]) => namedPart(job, words)?.testFiles?.length ?? 0;
  expect(named("unit")).toBe(3);
  expect([
    named("lib/net/ip/"),
    named("./lib/net/ip/address.test.ts"),
    named("lib/net/ip", "lib/net/bgp"),
  ]).toEqual([2, 1, 3]);
  expect([named("unity"), named("lib/i"), named("address")]).toEqual([0, 0, 0]);
  expect([["lib"], ["lib/net/ip"]].map((words) => namedPart(job, words)?.isPart)).toEqual([false, true]);
});

test("the longest job comes first; what computes waits for a processor, what waits does not", () => {
  const [computes, long, waits] = [jobOf("computes", 60, 60), jobOf("long", 90, 80), jobOf("waits", 30, 3)];
  expect(nextOf([waits, computes, long], [], 2)?.name).toBe("long");
  expect(nextOf([waits, computes], [long], 2)?.name).toBe("computes");
  expect(nextOf([waits, computes], [long, computes, computes], 2)?.name).toBe("waits");
  expect(nextOf([computes], [long, computes, computes], 2)).toBe(null);
  expect(nextOf([jobOf("parallel", 10, 90)], [], 2)?.name).toBe("parallel");
});

test("the expected end counts workers, processors and the longest job", () => {
  const many = Array.from({ length: 8 }, (_, i) => jobOf(`${i}`, 10, 1));
  expect(secondsLeft(many, 4, 2)).toBe(20);
  expect(secondsLeft([jobOf("a", 10, 40)], 4, 2)).toBe(20);
  expect(secondsLeft([...many, jobOf("long", 50, 1)], 4, 2)).toBe(50);
});

test("on a terminal one line is written anew, and failures stand above it", () => {
  let screen = "";
  const progress = new Progress((text) => {
    screen += text;
  }, true);
  const job: Job = { name: "a", step: "a", command: [], testFiles: null, limitSeconds: 1 };
  const cost = { seconds: 1, cpuSeconds: 1 };
  progress.begin(2);
  progress.done({ job, passed: 0, failed: 1, skipped: 0, skippedTests: [], failures: [], cost }, 60);
  progress.print("--- FAILED: a\n");
  progress.done({ job, passed: 1, failed: 0, skipped: 0, skippedTests: [], failures: [], cost }, 0);
  progress.end();
  const shown = screen.split("\r\x1b[K").map((text) => text.replace(/\d\d:\d\d/, "TIME"));
  expect(shown).toEqual([
    "",
    "1 of 2 files and checks done, 1 failure, end expected at TIME",
    "--- FAILED: a\n1 of 2 files and checks done, 1 failure, end expected at TIME",
    "2 of 2 files and checks done, 1 failure\n",
  ]);
});
