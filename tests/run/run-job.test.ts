/** The runner of `npm test`, on jobs made for the purpose: it must not count what did not pass. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAgain } from "./again.ts";
import type { Job } from "./jobs.ts";
import { countTests } from "./junit.ts";
import { pathsOutside } from "./outside.ts";
import { runJob } from "./run-job.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-run-job-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(name: string, parts: Partial<Job>) {
  let printed = "";
  const job = { name, step: "made", command: [], testFiles: null, limitSeconds: 60, ...parts };
  const print = (text: string) => {
    printed += text;
  };
  const runOne = (one: Job) =>
    runJob(one, { root: folder, folder, largeFolder: folder, environment: { GIVEN: "yes" }, print });
  return { result: await runOne(job), printed: () => printed, runOne };
}

function tests(name: string, source: string): Promise<Awaited<ReturnType<typeof run>>> {
  writeFileSync(
    join(folder, `${name}.test.ts`),
    `import { expect, test, describe } from "bun:test";\n${source}`,
  );
  return run(name, { command: [process.execPath, "test", "--no-orphans"], testFiles: [`./${name}.test.ts`] });
}

test("a check counts as one, and prints nothing when it passes", async () => {
  const { result, printed } = await run("good", { command: ["sh", "-c", "echo chatter; test $GIVEN = yes"] });
  expect(result).toMatchObject({ passed: 1, failed: 0, skipped: 0, failures: [] });
  expect(printed()).toBe("");
});

test("a check that fails shows both of its streams, and how to repeat it", async () => {
  const { result, printed } = await run("bad", { command: ["sh", "-c", "echo one; echo two >&2; exit 3"] });
  expect(result).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
  expect(printed()).toContain("bad. Exit code 3\none\ntwo\nRepeat:\n  npm test -- bad\n--- end of bad");
});

test("tests are counted one by one; one that fails is named with the command that repeats only it", async () => {
  const source = `test("a", () => {}); test.skip("c: no d here", () => {});
    describe("it's", () => test("b (1)", () => expect(1).toBe(2)));`;
  const { result, printed } = await tests("mixed", source);
  expect(result).toMatchObject({
    passed: 1,
    failed: 1,
    skipped: 1,
    skippedTests: ["mixed.test.ts: c: no d here"],
  });
  expect(result.failures).toMatchObject([{ file: "mixed.test.ts", name: "it's b (1)", isJudged: true }]);
  expect(printed()).toContain("Expected: 2");
  expect(printed()).not.toContain("(pass) a");
  const [, command = ""] = /Repeat:\n {2}(.*)/.exec(printed()) ?? [];
  const again = Bun.spawnSync(["sh", "-c", command.replace("bun", process.execPath)], { cwd: folder });
  expect([again.exitCode, again.stderr.toString()]).toEqual([1, expect.stringContaining("\n 1 fail\n")]);
  expect(again.stderr.toString()).toContain("Ran 1 test across 1 file");
});

test("a test file that does not load is a failure", async () => {
  const { result } = await tests("unloadable", 'import "./nowhere.ts"; test("a", () => {});');
  expect(result).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
});

test("what fails outside of a test is a failure", async () => {
  const source =
    'test("a", () => {}); setTimeout(() => { throw new Error("late"); }, 1); await Bun.sleep(20);';
  expect((await tests("late", source)).result.failed).toBe(1);
});

test("a process that is killed in its tests is a failure", async () => {
  const { result } = await tests("killed", 'test("a", () => process.kill(process.pid, "SIGKILL"));');
  expect(result).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
});

test("a job that hangs is ended, and the reason is printed", async () => {
  const { result, printed } = await run("hanging", { command: ["sleep", "60"], limitSeconds: 0.2 });
  expect(result.failed).toBe(1);
  expect(printed()).toContain("Ended after 0.2 s");
});

test("what a job leaves in its temporary folder is named, and removed", async () => {
  const { printed } = await run("untidy", {
    command: ["sh", "-c", 'mkdir -p "$TMPDIR/litter/deep"; echo $TMPDIR >kept'],
  });
  expect(printed()).toContain("untidy: left behind in its temporary folder: litter\n");
  expect(existsSync((await Bun.file(join(folder, "kept")).text()).trim())).toBe(false);
});

test("what stands behind a test that timed out is judged by a fresh process", async () => {
  const source = `import { beforeAll } from "bun:test";
    let engine;
    beforeAll(() => { engine = Bun.spawn(["sleep", "60"]); });
    test("before", () => {});
    test("slow", () => Bun.sleep(60_000), 300);
    test("good", async () => { await Bun.sleep(50); expect(engine.signalCode).toBe(null); });
    test("bad", () => expect(1).toBe(2));`;
  const { result, runOne } = await tests("behind", source);
  expect(result.failures.map(({ name, isJudged }) => [name, isJudged])).toEqual([
    ["slow", true],
    ["good", false],
    ["bad", false],
  ]);
  const { results, passedAlone } = await runAgain([result], runOne);
  expect(results).toMatchObject([{ passed: 2, failed: 2, failures: [{ name: "slow" }, { name: "bad" }] }]);
  // It passed in its first judged run.
  expect(passedAlone).toEqual([]);
});

test("a test that passes alone counts as passed, and is named", async () => {
  const source = `import { existsSync, writeFileSync } from "node:fs";
    test("once", () => { const was = existsSync("ran"); writeFileSync("ran", ""); expect(was).toBe(true); });`;
  const { result, runOne } = await tests("rare", source);
  const { results, passedAlone } = await runAgain([result], runOne);
  expect(results).toMatchObject([{ passed: 1, failed: 0, failures: [] }]);
  expect(passedAlone).toMatchObject([{ file: "rare.test.ts", name: "once" }]);
});

test("a crash, and many failures, are not tried again", async () => {
  const asked: Job[] = [];
  const runOne = async (job: Job) => {
    asked.push(job);
    throw new Error("not to be run");
  };
  const { result: crash } = await tests("crash", 'test("a", () => process.kill(process.pid, "SIGKILL"));');
  const many = Array.from({ length: 25 }, (_, i) => `test("t${i}", () => expect(1).toBe(2));`).join("\n");
  const { result: fault } = await tests("many", many);
  expect((await runAgain([crash], runOne)).results).toMatchObject([{ failed: 1 }]);
  expect((await runAgain([fault], runOne)).results).toMatchObject([{ failed: 25 }]);
  expect(asked).toEqual([]);
});

test("what tests leave outside is named: our own folders, and what is not a cache of others at home", () => {
  const [home, data] = [join(folder, "home"), join(folder, "data")];
  const made = ["platform", ".config/vantage", ".local/state/vantage-agent"].map((name) => join(home, name));
  for (const path of [...made, join(home, ".cache/pip"), join(home, ".npm"), join(data, "stack/store")]) {
    mkdirSync(path, { recursive: true });
  }
  const found = [...pathsOutside(home, [data, join(folder, "missing")])];
  expect(found.toSorted()).toEqual(
    [...made, data, join(data, "stack"), join(data, "stack/store")].toSorted(),
  );
});

test("a report cut short is refused", () => {
  expect(() => countTests('<?xml version="1.0"?>\n<testsuites name="bun test" te')).toThrow("no totals");
});
