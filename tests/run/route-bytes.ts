/** Messages of BGP in hexadecimal, and around them BMP and MRT, of a peer 192.0.2.9 of AS 64500, before the policy. */

/** A number of so many bytes. */
const hex = (number: number, bytes: number) => number.toString(16).padStart(2 * bytes, "0");
export const marker = "ff".repeat(16);

export function bmp(type: number, body: string): Uint8Array {
  return Uint8Array.fromHex(`03${hex(6 + body.length / 2, 4)}${hex(type, 1)}${body}`);
}

const who = `${"00".repeat(12)}c0000209${hex(64_500, 4)}0a000001`;
export const peer = `0000${"00".repeat(8)}${who}${hex(1_700_000_000, 4)}${hex(5, 4)}`;
const open = `${marker}001d0104${hex(64_500, 2)}00b40a00000100`;
export const peerUp = bmp(3, `${peer}${"00".repeat(16)}00b3c000${open}${open}`);

/** An UPDATE. */
export function bgp(withdrawn: string, given: string, announced: string): string {
  const body = `${hex(withdrawn.length / 2, 2)}${withdrawn}${hex(given.length / 2, 2)}${given}${announced}`;
  return `${marker}${hex(19 + body.length / 2, 2)}02${body}`;
}

/** ORIGIN IGP, AS path 64500, next hop 192.0.2.9. */
const attributes = `4001010040020602010000fbf4400304c0000209`;
/** Announces 198.51.N.0/24; `more`: further attributes. */
export const announce = (third: number, more = "") =>
  bgp("", `${attributes}${more}`, `18c633${hex(third, 1)}`);
export const withdraw = (third: number) => bgp(`18c633${hex(third, 1)}`, "", "");
export const routes = (update: string) => bmp(0, `${peer}${update}`);

/** A record of MRT, by default BGP4MP_MESSAGE_AS4 of the same peer, by IPv4; with microseconds in front, BGP4MP_ET. */
export function mrt(update: string, [type, subtype] = [16, 4], microseconds: number | null = null): Buffer {
  const precise = microseconds === null ? "" : hex(microseconds, 4);
  const body = `${precise}${hex(64_500, 4)}${hex(64_510, 4)}00000001c0000209c0000201${update}`;
  const head = `${hex(1_700_000_000, 4)}${hex(type, 2)}${hex(subtype, 2)}${hex(body.length / 2, 4)}`;
  return Buffer.from(`${head}${body}`, "hex");
}

/** Malformed attributes: COMMUNITIES of 3 bytes, AGGREGATOR of 6. */
export const [badCommunities, badAggregator] = ["c00803fbf400", "c00706fbf4c0000209"] as const;
