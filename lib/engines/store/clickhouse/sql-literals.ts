/** Values as literals of SQL. */

/** The source of a probe that was left to its agent, in `probe_src_addr` of `measure.probes`. */
export const noSource = "toIPv6('::')";

export function textLiteral(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The literal of a time in nanoseconds since the epoch. */
export function timeLiteral(timeNs: bigint): string {
  return `fromUnixTimestamp64Nano(${timeNs}, 'UTC')`;
}
