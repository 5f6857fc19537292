/** Bytes with a meaning between JSON values and at their ends (RFC 8259 s.2). */

export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const openBrace = 0x7b;
export const closeBracket = 0x5d;
export const closeBrace = 0x7d;

export function isOpener(byte: number): boolean {
  return byte === openBracket || byte === openBrace;
}

export function isCloser(byte: number): boolean {
  return byte === closeBracket || byte === closeBrace;
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
