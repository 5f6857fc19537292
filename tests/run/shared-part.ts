/** Asks the runner of the tests for what files share: an engine, a release (tests/run/shared-parts.ts). */

/** Name of the variable with the runner's address. */
export const sharedPartsVariable = "VANTAGE_TEST_SHARED";

export type SharedPart = "postgres" | "store" | "release" | "whole-release";

/** Its address or folder; null where a file runs by itself, and makes its own. Rejects with why it cannot be made. */
export async function sharedPart(name: SharedPart): Promise<string | null> {
  const runner = process.env[sharedPartsVariable] ?? "";
  if (runner === "") {
    return null;
  }
  const response = await fetch(`${runner}/${name}`, { timeout: false });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(text);
  }
  return text;
}
