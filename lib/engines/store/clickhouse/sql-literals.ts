/** Values as literals of SQL. */

export function textLiteral(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The literal of a time in nanoseconds since the epoch. */
export function timeLiteral(timeNs: bigint): string {
  return `fromUnixTimestamp64Nano(${timeNs}, 'UTC')`;
}
