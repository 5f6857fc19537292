/** Imported before the tests of a file: gives them the one executable, and runs it where there is no Bun. */
import { afterAll, beforeAll } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { placeExecutable } from "../run/built-folder.ts";
import { makeLargeFolder } from "../run/large-folder.ts";
import { runToEnd } from "../run/said.ts";

export const folder = makeLargeFolder("vantage-executable-");
export const executable = join(folder, "vantage");

beforeAll(() => placeExecutable(executable));
afterAll(() => rmSync(folder, { recursive: true }));

/** `env -i` clears the environment: an empty PATH has neither Bun nor Node. */
export function alone(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string[] {
  const settings = Object.entries({ PATH: "", ...environment }).map(([name, value]) => `${name}=${value}`);
  return ["env", "-i", ...settings, executable, ...args];
}

/** To its end, in the folder, which nothing but the executable lies in at first. */
export async function run(command: readonly string[], input = "") {
  return await runToEnd(command, { cwd: folder, stdin: Buffer.from(input) });
}
