/** Compares what a source gave with what an oracle says: only the members that it names, numbers to a microsecond. */

/** `actual` as far as `expected` speaks of it; a number that is as good as equal is the expected one. */
export function asFarAs(actual: unknown, expected: unknown): unknown {
  if (typeof actual === "number" && typeof expected === "number") {
    return Math.abs(actual - expected) <= 0.0011 ? expected : actual;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, i) => asFarAs(item, expected[i]));
  }
  if (isObject(actual) && isObject(expected)) {
    return Object.fromEntries(
      Object.keys(expected).map((name) => [name, asFarAs(actual[name], expected[name])]),
    );
  }
  return actual;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without what is drawn by lot. */
export function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, one: unknown) => (name === "rtt_samples_ms" ? undefined : one)),
  );
}
