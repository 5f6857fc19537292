/** Values as literals of SQL. */

export function textLiteral(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** `time` is in nanoseconds since the epoch. */
export function timeLiteral(timeNs: bigint | string): string {
  return `fromUnixTimestamp64Nano(${timeNs}, 'UTC')`;
}
