/** The runner of `npm test`, on steps made for the purpose: it must not count what did not pass. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTests, secondsByFile } from "./junit.ts";
import { pathsOutside } from "./outside.ts";
import { runStep } from "./run-step.ts";
import { type Step, stepsOf } from "./steps.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-run-step-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(name: string, parts: Partial<Step>) {
  let said = "";
  const step = { name, purpose: "for this test", command: [], testFiles: null, limitSeconds: 20, ...parts };
  const print = (text: string) => {
    said += text;
  };
  return { result: await runStep(step, { root: folder, folder, print }), said };
}

function testStep(name: string, source: string): Promise<Awaited<ReturnType<typeof run>>> {
  writeFileSync(join(folder, `${name}.test.ts`), `import { expect, test } from "bun:test";\n${source}`);
  return run(name, { command: [process.execPath, "test"], testFiles: [`./${name}.test.ts`] });
}

test("a step that is not a test counts as one, and is silent when it passes", async () => {
  const { result, said } = await run("good", { command: ["sh", "-c", "echo chatter"] });
  expect(result).toMatchObject({ name: "good", passed: 1, failed: 0, skipped: 0 });
  expect(said).not.toContain("chatter");
});

test("a step that fails shows all it said, of both streams", async () => {
  const { result, said } = await run("bad", { command: ["sh", "-c", "echo one; echo two >&2; exit 3"] });
  expect(result).toMatchObject({ name: "bad", passed: 0, failed: 1, skipped: 0 });
  expect(said).toContain("exit code 3\none\ntwo\n--- end of bad");
});

test("tests are counted one by one", async () => {
  const source = 'test("a", () => {}); test("b", () => expect(1).toBe(2)); test.skip("c", () => {});';
  const { result, said } = await testStep("mixed", source);
  expect(result).toMatchObject({ name: "mixed", passed: 1, failed: 1, skipped: 1 });
  expect([...result.failures]).toEqual([["mixed.test.ts", ["b"]]]);
  expect(said).toContain("Expected: 2");
  expect(said).not.toContain("(pass) a");
});

test("a failing test is shown at once, and once, though bun lists it again after many others", async () => {
  const source = 'for (let i = 0; i < 60; i++) test("t" + i, () => expect(i % 50).not.toBe(3));';
  const { said } = await testStep("many", source);
  expect(said.match(/^\(fail\) t3 /gm)).toHaveLength(2);
  expect(said.match(/^ {2}many: \(fail\) t3 /gm)).toHaveLength(1);
});

test("a test file that does not load is a failure", async () => {
  const { result } = await testStep("unloadable", 'import "./nowhere.ts"; test("a", () => {});');
  expect(result).toMatchObject({ name: "unloadable", passed: 0, failed: 1, skipped: 0 });
});

test("what fails outside of a test is a failure", async () => {
  const source =
    'test("a", () => {}); setTimeout(() => { throw new Error("late"); }, 1); await Bun.sleep(20);';
  expect((await testStep("late", source)).result.failed).toBe(1);
});

test("a process that is killed in its tests is a failure", async () => {
  const { result } = await testStep("killed", 'test("a", () => process.kill(process.pid, "SIGKILL"));');
  expect(result).toMatchObject({ name: "killed", passed: 0, failed: 1, skipped: 0 });
});

test("a step that hangs is ended and says so", async () => {
  const { result, said } = await run("hanging", { command: ["sleep", "60"], limitSeconds: 0.2 });
  expect(result.failed).toBe(1);
  expect(said).toContain("Ended after 0.2 s");
});

test("what a step leaves in its temporary folder is named, and removed", async () => {
  const { said } = await run("untidy", { command: ["sh", "-c", 'mkdir -p "$TMPDIR/litter/deep"'] });
  expect(said).toContain("  untidy: left behind in its temporary folder: litter\n");
  expect(existsSync(join(folder, "untidy"))).toBe(false);
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

test("the slowest file comes first", () => {
  const suite = (name: string, time: string) =>
    `  <testsuite name="${name}" file="${name}" tests="1" time="${time}">\n`;
  const nested = '    <testsuite name="inside" file="a.test.ts" time="9">\n';
  expect(secondsByFile(`${suite("a.test.ts", "0.5")}${nested}${suite("b.test.ts", "12.25")}`)).toEqual([
    ["b.test.ts", 12.25],
    ["a.test.ts", 0.5],
  ]);
});

test("a report cut short is refused", () => {
  expect(() => countTests('<?xml version="1.0"?>\n<testsuites name="bun test" te')).toThrow("no totals");
});

test("every test file of the project is in exactly one step", () => {
  const root = join(import.meta.dirname, "../..");
  const inSteps = stepsOf(root).flatMap((step) => step.testFiles ?? []);
  const all = ["apps", "ffi", "lib", "tests"].flatMap((part) => [
    ...new Bun.Glob(`${part}/**/*.test.ts`).scanSync(root),
  ]);
  expect(inSteps.toSorted()).toEqual(all.map((path) => `./${path}`).toSorted());
});
