/** What a Python program prints of a file or of standard input: lines of JSON; it must not complain. */
import { expect } from "bun:test";
import { runToEnd } from "../../run/said.ts";

export async function pythonLines<Line>(command: readonly string[], stdin?: Uint8Array): Promise<Line[]> {
  const { stdout, stderr } = await runToEnd(command, stdin === undefined ? {} : { stdin });
  expect(stderr).toBe("");
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
