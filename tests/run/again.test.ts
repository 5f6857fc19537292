import { expect, test } from "bun:test";
import { runAgain } from "./again.ts";
import type { StepResult } from "./run-step.ts";
import type { Step } from "./steps.ts";

const steps: Step[] = ["lab", "contract"].map((name) => ({
  name,
  purpose: "for this test",
  command: ["bun", "test"],
  testFiles: ["./a.test.ts", "./b.test.ts", "./c.test.ts"],
  limitSeconds: 1,
}));
const good: StepResult = { name: "lab", passed: 5, failed: 0, skipped: 1, failures: new Map() };

function bad(failures: Record<string, string[]>, failed = Object.values(failures).flat().length): StepResult {
  return { name: "contract", passed: 7, failed, skipped: 0, failures: new Map(Object.entries(failures)) };
}

async function again(result: StepResult, isGoodAlone: boolean) {
  const asked: (readonly string[] | null)[] = [];
  const { results, passedAlone } = await runAgain(steps, [good, result], async (step) => {
    asked.push(step.testFiles);
    return isGoodAlone ? { ...good, name: step.name } : result;
  });
  return { asked, end: results.map(({ passed, failed }) => ({ passed, failed })), passedAlone };
}

test("a test that passes alone counts as passed, and is named", async () => {
  expect(await again(bad({ "b.test.ts": ["waits"] }), true)).toEqual({
    asked: [["./b.test.ts"]],
    end: [
      { passed: 5, failed: 0 },
      { passed: 8, failed: 0 },
    ],
    passedAlone: ["b.test.ts: waits"],
  });
});

test("a test that fails alone too is a failure", async () => {
  const { asked, end, passedAlone } = await again(
    bad({ "b.test.ts": ["waits"], "c.test.ts": ["more"] }),
    false,
  );
  expect(asked).toEqual([["./b.test.ts", "./c.test.ts"]]);
  expect(end.at(1)).toEqual({ passed: 7, failed: 2 });
  expect(passedAlone).toEqual([]);
});

test.each([
  ["many failures", bad({ "a.test.ts": ["1", "2", "3", "4", "5"], "b.test.ts": ["6", "7", "8", "9"] })],
  ["a crash", bad({}, 1)],
  ["a crash beside a failing test", bad({ "a.test.ts": ["1"] }, 2)],
])("%s are not tried again", async (_name, result) => {
  const { asked, end } = await again(result, true);
  expect(asked).toEqual([]);
  expect(end.at(1)?.failed).toBe(result.failed);
});
