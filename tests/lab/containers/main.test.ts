/** The lab of containers is a check of its own in the long tier: here that it starts, and what its table counts. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { Stopped, Table } from "./table.ts";

function lab(...words: readonly string[]) {
  const script = join(import.meta.dirname, "main.ts");
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, script, ...words]);
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

test("it loads, and states what it does and needs", () => {
  const { exitCode, stdout } = lab("--help");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/npm run lab:containers[\s\S]*--away-minutes[\s\S]*Needs root/);
});

test.each([["everything"], ["--away-minutes=soon"], ["--all"]])("%s is wrong usage", (word) => {
  expect(lab(word)).toMatchObject({ exitCode: 2, stdout: "" });
});

test("the table counts what failed, and a step that others stand on ends the story", async () => {
  const lines: string[] = [];
  const table = new Table((line) => void lines.push(line));
  const fails = () => Promise.reject(new Error("it did not come up"));
  expect(await table.step("first", async () => 7)).toBe(7);
  expect(await table.tryStep("second", fails)).toBeNull();
  await expect(table.step("third", fails)).rejects.toBeInstanceOf(Stopped);
  table.printAll();
  expect(lines).toContain("it did not come up");
  expect(lines.at(-1)).toBe("1 passed, 2 failed");
  expect(lines.filter((line) => / NO {3}(second|third)$/.test(line))).toHaveLength(4);
});
