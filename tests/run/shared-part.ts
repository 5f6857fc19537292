/** Asks the runner of the tests for what files share: an engine, a release (tests/run/engines.ts). */

/** Name of the variable with the runner's address. */
export const enginesVariable = "VANTAGE_TEST_ENGINES";

export type SharedEngine = "postgres" | "release" | "whole-release";

/** Its address or folder; null where a file runs by itself, and makes its own. Rejects with why it cannot be made. */
export async function sharedEngine(name: SharedEngine): Promise<string | null> {
  const runner = process.env[enginesVariable] ?? "";
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
