/** Asks the runner of the tests for an engine that files share (tests/run/engines.ts). */

/** Name of the variable with the runner's address. */
export const enginesVariable = "VANTAGE_TEST_ENGINES";

export type SharedEngine = "postgres";

/** The engine's address; null where a file runs by itself, and starts its own. Rejects with why it did not start. */
export async function sharedEngine(name: SharedEngine): Promise<string | null> {
  const runner = process.env[enginesVariable] ?? "";
  if (runner === "") {
    return null;
  }
  const response = await fetch(`${runner}/${name}`);
  const text = await response.text();
  if (!response.ok) {
    throw new Error(text);
  }
  return text;
}
