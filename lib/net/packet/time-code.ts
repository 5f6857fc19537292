/**
 * The 16-bit send time that a probe carries and a reply brings back.
 *
 * Time is counted in ticks of 0.1 ms since the epoch. The code is the tick modulo 65535 (not 65536), because in a
 * UDP checksum 0 means "none" (RFC 768) and must travel as 0xffff: so 0 and 0xffff are one code, in every protocol.
 *
 *     tick 17 000 000 000 000 = wrap 259 403 372 x 65535 + code 15 980
 *
 * A code alone dates a probe within the last wrap (6.5535 s); the tag identifies the wrap.
 */

export const tickUs = 100;
export const ticksPerSec = 1e6 / tickUs;
export const ticksPerWrap = 65535;

export function tickOfUs(timeUs: number): number {
  return Math.floor(timeUs / tickUs);
}

export function tickOfNs(timeNs: bigint): number {
  return Number(timeNs / 100_000n);
}

/** The code as sent in the packet: 1–65535. */
export function wireTimeCode(tick: number): number {
  return tick % ticksPerWrap || ticksPerWrap;
}

/** How often the code had wrapped at this tick; fits 32 bits until the year 2862. */
export function wrapOf(tick: number): number {
  return Math.floor(tick / ticksPerWrap);
}
