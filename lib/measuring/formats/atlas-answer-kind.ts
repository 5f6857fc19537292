/** The ICMP type and code of an answer of Atlas, which has errors and TCP flags, and nothing else of the kind. */

const errors = {
  4: { N: 0, H: 1, P: 2, p: 3, A: 13 },
  6: { N: 0, A: 1, h: 2, H: 3, p: 4 },
} as const;
const flagBits: Readonly<Record<string, number>> = { F: 1, S: 2, R: 4, A: 16 };

interface AtlasAnswer {
  readonly err?: string | number | undefined;
  readonly flags?: string | undefined;
  readonly isV6: boolean;
  /** From the destination. */
  readonly isTarget: boolean;
  /** That the probe was sent by. */
  readonly protocol: string;
}

/** Returns type and code; for TCP 0 and its flags. An answer without an error is what a trace expects. */
export function atlasAnswerKind({
  err,
  flags,
  isV6,
  isTarget,
  protocol,
}: AtlasAnswer): readonly [number, number] {
  const [echoReply, unreachable, exceeded, port] = isV6 ? [129, 1, 3, 4] : [0, 3, 11, 3];
  if (flags !== undefined) {
    return [0, [...flags].reduce((bits, letter) => bits | (flagBits[letter] ?? 0), 0)];
  }
  if (err !== undefined) {
    const codes: Readonly<Record<string, number>> = errors[isV6 ? 6 : 4];
    return [unreachable, typeof err === "number" ? err & 255 : (codes[err] ?? 0)];
  }
  if (!isTarget) {
    return [exceeded, 0];
  }
  return protocol.startsWith("ICMP") ? [echoReply, 0] : [unreachable, port];
}
