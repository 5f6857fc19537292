/** The traffic class of a packet: DSCP in its upper 6 bits, ECN (RFC 3168) in its lower 2. IPv4: "type of service". */

/** By their numbers. RFC 2474, 2597, 3246, 5865, 8622. */
const dscpNumbers: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`CS${i}`, 8 * i])),
  ...Object.fromEntries(
    [1, 2, 3, 4].flatMap((level) => [1, 2, 3].map((drop) => [`AF${level}${drop}`, 8 * level + 2 * drop])),
  ),
  ...{ LE: 1, VA: 44, EF: 46 },
};

export const ecnNames = ["not-ect", "ect1", "ect0", "ce"] as const;
export type EcnName = (typeof ecnNames)[number];

const dscpMax = 63;

/** What `dscpOf` reads, for messages. */
export const dscpForm = "a number from 0 to 63, or a name, as EF, AF41 or CS1";

/** Null for anything but `dscpForm`. */
export function dscpOf(text: string): number | null {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : dscpNumbers[text.toUpperCase()];
  return number === undefined || number > dscpMax ? null : number;
}

export function trafficClassOf(dscp: number, ecn: EcnName): number {
  return (dscp << 2) | ecnNames.indexOf(ecn);
}

/** `DSCP EF`, `DSCP 3`. */
function dscpInWords(trafficClass: number): string {
  const dscp = trafficClass >> 2;
  const name = Object.keys(dscpNumbers).find((known) => dscpNumbers[known] === dscp);
  return `DSCP ${name ?? dscp}`;
}

/** `ECN ect0`. */
function ecnInWords(trafficClass: number): string {
  return `ECN ${ecnNames[trafficClass & 3]}`;
}

/** What a router has received otherwise than it was sent; empty when nothing differs. */
export function remarkedInWords(sent: number, seen: number): string {
  const parts = [
    sent >> 2 === seen >> 2 ? "" : dscpInWords(seen),
    (sent & 3) === (seen & 3) ? "" : ecnInWords(seen),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `remarked: ${parts.join(", ")}`;
}
