/** Ids of measurements on a command line. */
import { UsageError } from "../../../lib/config/command-line.ts";
import { quoted } from "../../../lib/config/option-values.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One or more. Throws UsageError. */
export function measurementIds(positionals: readonly string[]): string[] {
  if (positionals.length === 0) {
    throw new UsageError("Name a measurement by its id; vantage measurements lists yours");
  }
  const wrong = positionals.find((text) => !uuid.test(text));
  if (wrong !== undefined) {
    throw new UsageError(`${quoted(wrong)} is no id of a measurement; vantage measurements lists yours`);
  }
  return positionals.map((id) => id.toLowerCase());
}

/** Exactly one. Throws UsageError. */
export function measurementId(positionals: readonly string[]): string {
  const [id = "", ...more] = measurementIds(positionals);
  if (more.length > 0) {
    throw new UsageError(`Name one measurement, not ${positionals.length}`);
  }
  return id;
}
