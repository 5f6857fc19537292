/** Nanoseconds since 1970 of a clock in milliseconds: to the microsecond, the precision of a double for such times. */
export function nanosOf(ms: number): bigint {
  return BigInt(Math.round(1000 * ms)) * 1000n;
}
