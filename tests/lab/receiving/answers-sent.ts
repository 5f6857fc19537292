/** What the test of both ways to receive sends: every vector on Ethernet, damaged copies, and stamped pairs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Mutator } from "../../fuzz/mutator.ts";
import { ethernetLinkType } from "../../vectors/hand/frames.ts";
import { readSavefile } from "../../vectors/hand/savefile.ts";
import { folder } from "../../vectors/make.ts";

const damaged = 4000;
const [frameBytesMin, frameBytesMax] = [60, 1514];
const pairs = 50;
export const floodFrames = 40_000;
const destinationAt = 30;

/** The address of the host that listens: its kernel needs what comes to it. */
export const ownAddress = "198.51.100.77";
const own = [198, 51, 100, 77];

/** The frames are as long as a card would make them, and all go to this MAC; always the same. */
export function answersSent(mac: Uint8Array): Uint8Array[] {
  const vectors = readdirSync(folder)
    .filter((name) => name.endsWith(".pcap"))
    .map((name) => readSavefile(new Uint8Array(readFileSync(join(folder, name)))))
    .filter(({ linkType }) => linkType === ethernetLinkType)
    .flatMap(({ packets }) => packets.map(({ frame }) => frame));
  const mutator = new Mutator(4711);
  const mutants = Array.from({ length: damaged }, (_, i) =>
    mutator.mutate(vectors[i % vectors.length] ?? new Uint8Array(), vectors),
  );
  return [...vectors, ...mutants].map((frame) => {
    const whole = new Uint8Array(Math.min(frameBytesMax, Math.max(frameBytesMin, frame.length)));
    whole.set(frame.subarray(0, frameBytesMax));
    whole.set(mac);
    return whole;
  });
}

/** The same echo reply, more often than all sockets of an interface hold it. */
export function floodSent(mac: Uint8Array): Uint8Array[] {
  const [one = mac] = pairsSent(mac);
  return Array.from({ length: floodFrames }, () => one);
}

/** Echo replies, one to an address of a prober's and one to the host's own, by turns. */
export function pairsSent(mac: Uint8Array): Uint8Array[] {
  const one = new Uint8Array(frameBytesMin);
  one.set(mac);
  one.set([0x08, 0x00, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 1, 0, 0, 192, 0, 2, 9, 203, 0, 113, 9], 12);
  const other = one.slice();
  other.set(own, destinationAt);
  return Array.from({ length: 2 * pairs }, (_, i) => (i % 2 === 0 ? one : other));
}
