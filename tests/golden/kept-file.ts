/** Files that hold what a program is to print, whole. */
import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Compares with the file `name` in the folder, or writes it where VANTAGE_GOLDEN is `write`. */
export function compareIn(folder: string, name: string, output: string): void {
  const file = join(folder, name);
  if (process.env.VANTAGE_GOLDEN === "write") {
    writeFileSync(file, output);
  }
  expect(output).toBe(readFileSync(file, "utf8"));
}
