/** Who is measured: each sender as a command line to run in the sender's namespace. */
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../lab/namespaces.ts";
import { senderAddress, senderInterface, type VethLink } from "./veth-link.ts";

type BackEnd = "packet" | "xdp";

export interface Subject {
  readonly name: string;
  readonly command: (link: VethLink, packets: number) => string[];
  /** It says how long it took; else the time is that between the first packet and the last at the far end. */
  readonly timesItself?: true;
  /** It goes on when all is sent, and is killed then. */
  readonly hasNoEnd?: true;
}

const linesAtOnce = 100_000;
/** IPv4 and UDP. */
const headersBytes = 28;
/** Where no host is: the packets are dropped at the end of the link in any case. */
const destination = "10.0.0.1";
const destinations = "10.0.0.0/8";
/** Makes zmap's packet as long as ours with TTL 16. */
const zmapPayload = "01234567890123456789012345";

/** One core for a sender with one thread, so that it does not wander. */
const pinned = ["taskset", "-c", "0"];

export const zmap: Subject = {
  name: "zmap",
  // It pins its own threads. `-r 0` = as fast as it can, `-c 1` = waits a second for answers at its end.
  command: (link, packets) => [
    ...["zmap", "-i", senderInterface, "-G", link.gatewayMac, "-S", senderAddress, "-b", "/dev/null"],
    ...["-T", "1", "-r", "0", "-c", "1", "-q", "-v", "0", "-n", String(packets), "-o", "/dev/null"],
    ...["-M", "udp", "-p", "33434", `--probe-args=text:${zmapPayload}`, destinations],
  ],
};

export const masscan: Subject = {
  name: "masscan",
  // Its UDP packets are 12 bytes shorter than ours. Having sent all, it waits for answers for ever.
  hasNoEnd: true,
  command: (link, packets) => [
    ...["masscan", rangeOf(packets), "-pU:33434", "--rate", "100000000", "--wait", "0", "-oL", "/dev/null"],
    ...["-e", senderInterface, "--source-ip", senderAddress],
    ...["--router-mac", link.gatewayMac.replaceAll(":", "-")],
  ],
};

/** So many addresses from 10.0.0.0 on. */
function rangeOf(addresses: number): string {
  const last = 0x0a00_0000 + addresses - 1;
  const bytes = [24, 16, 8, 0].map((shift) => (last >>> shift) & 255);
  return `10.0.0.0-${bytes.join(".")}`;
}

/** Compiles one of the C loops into a folder of the caller's; `sizeBytes`: the IP length, absent = as our TTL 16. */
export async function cLoop(
  name: "sendmmsg" | "af-xdp",
  folder: string,
  sizeBytes?: number,
): Promise<Subject> {
  const program = join(folder, `${name}-${sizeBytes ?? "short"}`);
  const payload = sizeBytes === undefined ? [] : [`-DPAYLOAD_BYTES=${sizeBytes - headersBytes}`];
  const source = join(import.meta.dirname, `${name}.c`);
  await run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", ...payload, "-o", program, source]);
  return {
    name: `${name}.c`,
    command: (link, packets) => [
      ...[...pinned, program, senderInterface, link.gatewayMac],
      ...[senderAddress, destination, String(packets)],
    ],
  };
}

/**
 * A back end and the hot path's packet builder in one thread, without the engine around them; `sizeBytes` as above.
 */
export function backEnd(kind: BackEnd, sizeBytes?: number): Subject {
  return {
    name: `vantage back end ${kind}`,
    // It pins the thread that sends, and lets the compiler's use the other core.
    command: (link, packets) => [
      ...[process.execPath, join(import.meta.dirname, "back-end.ts")],
      ...[kind, link.gatewayMac, String(packets), ...(sizeBytes === undefined ? [] : [String(sizeBytes)])],
    ],
  };
}

/** The whole engine: one thread offers probes to the ring, the sender's thread takes them off it. */
export function engine(kind: BackEnd): Subject {
  const script = join(import.meta.dirname, "engine.ts");
  return {
    name: `vantage ${kind}`,
    command: (_link, packets) => [process.execPath, script, kind, String(packets)],
  };
}

/** Lines in a file, client, embedded broker, agent: from the start of the client to the last packet. */
export function lines(kind: BackEnd, folder: string, packets: number): Subject {
  const file = join(folder, "probes.csv");
  if (!existsSync(file)) {
    const line = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255},24000,33434,16,UDP\n`;
    for (let first = 0; first < packets; first += linesAtOnce) {
      const count = Math.min(linesAtOnce, packets - first);
      appendFileSync(file, Array.from({ length: count }, (_, i) => line(first + i)).join(""));
    }
  }
  const script = join(import.meta.dirname, "lines.ts");
  return {
    name: `vantage lines to wire ${kind}`,
    timesItself: true,
    command: () => [process.execPath, script, kind, file, String(packets)],
  };
}
