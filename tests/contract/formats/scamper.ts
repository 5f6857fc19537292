/** What scamper's tools say of a file; they must not complain. */
import { expect } from "bun:test";
import { runToEnd } from "../../run/said.ts";

export async function output(command: readonly string[]): Promise<string> {
  const { stdout: text, stderr: complaint, exitCode } = await runToEnd(command);
  expect([exitCode, complaint]).toEqual([0, ""]);
  return text;
}
