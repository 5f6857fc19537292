/** The probes of a campaign by number: each has its own ports, so that they are distinct on the wire. */
import { targetAddress } from "./topology.ts";

/** One for each source port. */
export const probesPerPort = 50_000;
const srcPortFirst = 10_000;
export const dstPortFirst = 33_434;
/** Destination ports that a campaign may use: 50,000 probes each. */
export const dstPortLast = dstPortFirst + 199;
/** Probes of each agent. */
export const probesOfSpace = probesPerPort * (dstPortLast - dstPortFirst + 1);

/** Lines of the probes from `from` up to, not including, `to`. */
export function linesOf(from: number, to: number): string {
  const lines: string[] = [];
  for (let index = from; index < to; index++) {
    const srcPort = srcPortFirst + (index % probesPerPort);
    lines.push(`${targetAddress},${srcPort},${dstPortFirst + Math.floor(index / probesPerPort)},1,udp\n`);
  }
  return lines.join("");
}

export function indexOf(srcPort: number, dstPort: number): number {
  return (dstPort - dstPortFirst) * probesPerPort + srcPort - srcPortFirst;
}
