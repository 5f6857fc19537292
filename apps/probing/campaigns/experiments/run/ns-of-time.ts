/** Nanoseconds since 1970 of a time in other programs' format: `2026-11-23T03:26:20.123456789Z`. */
export function nsOfTime(text: string): bigint {
  const [, whole = "", fraction = ""] = /^([^.]*?)(?:\.(\d{1,9}))?Z?$/.exec(text) ?? [];
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}
