/**
 * Captures vectors from the lab: `bun tests/vectors/make.ts captured`, as root, with tcpdump.
 *
 * The engine probes kernel routers and the responder's targets from vantage point east while tcpdump writes what
 * comes in. The JSON beside each file is what the reference receiver made of it on that day, after it was checked
 * that every reply belongs to a probe that was sent: from then on it guards against change.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatAddress } from "../../lib/net/ip/address.ts";
import { ianaNumber, type Protocol } from "../../lib/net/packet/probe.ts";
import { Internet } from "../lab/internet.ts";
import { probeFrom, probeGrid } from "../lab/probe-from.ts";
import type { JobProbe } from "../lab/probe-job.ts";
import { targetAddress } from "../lab/responder/scenario.ts";
import { interfaceTo } from "../lab/routing.ts";
import { internet } from "../lab/topology.ts";
import { saidUpTo } from "../run/said.ts";
import { capturedConfig, capturedFolder } from "./captured-config.ts";
import { type ExpectedPacket, replyToJson } from "./expected.ts";
import { readSavefile } from "./hand/savefile.ts";
import { receiveReference } from "./reference-receiver.ts";

const vantage = "east";
const interfaceName = interfaceTo("eastAccess");
const source = { v4: "192.0.2.2", v6: "2001:db8:e::2" };
const kernelTarget = { v4: "203.0.113.10", v6: "2001:db8:cb::10" };
const families = ["v4", "v6"] as const;
/** Behind seven kernel routers and the responder's own. */
const virtualTtls = [9, 12] as const;

function grid(
  family: "v4" | "v6",
  dst: string,
  protocol: Protocol,
  ttls: readonly [number, number],
): JobProbe[] {
  return probeGrid({ src: source[family], dst, protocol, flows: 1, ttls });
}

/** A name of a vector, and the probes whose answers it holds. */
const jobs: readonly (readonly [string, readonly JobProbe[]])[] = [
  ...(["udp", "icmp", "tcp"] as const).map((protocol): [string, JobProbe[]] => [
    `kernel-${protocol}`,
    families.flatMap((family) => {
      const name = protocol === "icmp" && family === "v6" ? "icmpv6" : protocol;
      return grid(family, kernelTarget[family], name, [1, 9]);
    }),
  ]),
  ["responder-mpls", virtual([13])],
  ["responder-quotes", virtual([14, 15, 16])],
  ["responder-unreachable", virtual([20, 21, 22, 23, 24])],
];

function virtual(ids: readonly number[]): JobProbe[] {
  return families.flatMap((family) =>
    ids.flatMap((id) => grid(family, targetAddress(id)[family], "udp", virtualTtls)),
  );
}

async function capture(net: Internet, name: string, probes: readonly JobProbe[]): Promise<void> {
  const path = join(capturedFolder, `${name}.pcap`);
  const options = [
    "-i",
    interfaceName,
    "-Q",
    "in",
    "-U",
    "-s",
    "576",
    "--time-stamp-precision=nano",
    "-w",
    path,
  ];
  const tcpdump = Bun.spawn(net.at(vantage, ["tcpdump", ...options]), { stdout: "ignore", stderr: "pipe" });
  await saidUpTo(tcpdump.stderr, "listening on");
  await probeFrom(net, vantage, { probes, interfaceName, integrityCheck: false });
  tcpdump.kill("SIGINT");
  await tcpdump.exited;
  const expected = expectationOf(path, probes);
  writeFileSync(path.replace(/pcap$/, "json"), `${JSON.stringify(expected, null, 2)}\n`);
  const replies = expected.filter(({ reply }) => reply !== undefined).length;
  console.log(`${name}: ${probes.length} probes, ${expected.length} packets, ${replies} replies`);
}

function expectationOf(path: string, probes: readonly JobProbe[]): ExpectedPacket[] {
  const savefile = readSavefile(new Uint8Array(readFileSync(path)));
  return savefile.packets.map(({ frame, timeNs }) => {
    const { outcome, reply } = receiveReference(frame, savefile.linkType, timeNs, capturedConfig);
    if (reply === undefined) {
      return { what: `no answer: ${outcome}`, outcome };
    }
    const dst = formatAddress(reply.probeDstAddr);
    const probe = probes.find((sent) => {
      const samePort =
        sent.srcPort === reply.probeSrcPort && ianaNumber[sent.protocol] === reply.probeProtocol;
      return sent.dst === dst && sent.ttl === reply.probeTtl && samePort;
    });
    if (probe === undefined) {
      throw new Error(`No probe was sent to ${dst} with TTL ${reply.probeTtl}: look at ${path}`);
    }
    return { what: `${probe.protocol} to ${dst}, TTL ${probe.ttl}`, outcome, reply: replyToJson(reply) };
  });
}

/** Writes the files of all jobs. */
export async function captureAll(): Promise<void> {
  await using net = await Internet.start(internet);
  for (const [name, probes] of jobs) {
    await capture(net, name, probes);
  }
}
