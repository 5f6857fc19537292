import { describe, expect, test } from "bun:test";
import { parseGiven } from "../../../lib/command/command/parse.ts";
import { address, formatAddress } from "../../../lib/net/ip/address.ts";
import { targetArguments } from "./arguments.ts";
import { targetsMax } from "./limits.ts";
import { pingOptions, traceOptions } from "./option-tables.ts";
import { type Options, pingOrder, traceOrder } from "./options.ts";

function optionsOf(command: string, ...args: string[]): Options {
  return command === "ping"
    ? pingOrder(parseGiven(args, pingOptions, targetArguments))
    : traceOrder(parseGiven(args, traceOptions, targetArguments));
}

test("trace without options: UDP, eight flows, three queries, up to 32 hops", () => {
  expect(optionsOf("trace", "example.org", "192.0.2.1")).toEqual({
    targets: ["example.org", "192.0.2.1"],
    protocol: "udp",
    family: null,
    srcPort: 24000,
    dstPort: 33434,
    mtu: false,
    mtuBytesMax: null,
    shape: {},
    firstTtl: 1,
    maxTtl: 32,
    queries: 3,
    flows: 8,
    rateProbesPerSec: 1000,
    waitMs: 2000,
    source: null,
    spoof: false,
    interfaceName: null,
    context: { fields: null, folder: null, servers: [], isNamed: false },
    output: "table",
    program: null,
    summary: false,
    watch: null,
    live: true,
    count: 5,
    intervalMs: 1000,
    pcap: null,
    svg: null,
    from: null,
  });
});

test("ping without options: ICMP, one flow, straight to the target", () => {
  const { protocol, flows, firstTtl, maxTtl, count, intervalMs } = optionsOf("ping", "192.0.2.1");
  expect({ protocol, flows, firstTtl, maxTtl, count, intervalMs }).toEqual({
    ...{ protocol: "icmp", flows: 1, firstTtl: 64, maxTtl: 64, count: 5, intervalMs: 1000 },
  });
});

test("each trace by agents has ports of its own, which hold all flows; --src-port wins", () => {
  const first = (...more: string[]) =>
    optionsOf("trace", "--from", "west", "--flows", "128", ...more, "192.0.2.1").srcPort;
  const ports = Array.from({ length: 1000 }, () => first());
  expect(new Set(ports).size).toBeGreaterThan(900);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(24_000);
  expect(Math.max(...ports)).toBeLessThanOrEqual(65_535 - 127);
  expect(first("--src-port", "24000")).toBe(24_000);
});

describe("an option sets what it says", () => {
  const cases: [string[], Partial<Options>][] = [
    [["-p", "icmp"], { protocol: "icmp", dstPort: 33434 }],
    [["-p", "tcp"], { protocol: "tcp", dstPort: 80 }],
    [["--protocol", "tcp", "--dst-port", "443"], { dstPort: 443 }],
    [["-4"], { family: 4 }],
    [["-6"], { family: 6 }],
    [["--src-port", "65528"], { srcPort: 65528, flows: 8 }],
    [["--first-ttl", "5", "-m", "5"], { firstTtl: 5, maxTtl: 5 }],
    [["-m", "255"], { maxTtl: 255 }],
    [["-q", "100", "--flows", "128"], { queries: 100, flows: 128 }],
    [["--rate", "1000000", "-w", "6500"], { rateProbesPerSec: 1_000_000, waitMs: 6500 }],
    [["-i", "eth0", "-o", "json", "--no-live"], { interfaceName: "eth0" }],
    [["-r"], { context: { fields: null, folder: null, servers: [], isNamed: true } }],
    [
      ["--with", "rpki,asn", "--context", "sets", "--resolver", "192.0.2.53"],
      { context: { fields: ["asn", "rpki"], folder: "sets", servers: ["192.0.2.53"], isNamed: false } },
    ],
    [["--with", "none"], { context: { fields: [], folder: null, servers: [], isNamed: false } }],
    [["-o", "json", "--no-live"], { output: "json", live: false }],
    [["-p", "icmp", "-p", "udp"], { protocol: "udp" }],
    [["--flows=2"], { flows: 2 }],
  ];
  test.each(cases)("trace %j", (args, wanted) => {
    expect(optionsOf("trace", ...args, "192.0.2.1")).toMatchObject(wanted);
  });

  const pingCases: [string[], Partial<Options>][] = [
    [["-c", "7", "--interval-ms", "20"], { count: 7, intervalMs: 20 }],
    [["--ttl", "255"], { firstTtl: 255, maxTtl: 255 }],
    [["--src-port", "65535"], { srcPort: 65535 }],
    [["-p", "tcp"], { protocol: "tcp", dstPort: 80 }],
  ];
  test.each(pingCases)("ping %j", (args, wanted) => {
    expect(optionsOf("ping", ...args, "192.0.2.1")).toMatchObject(wanted);
  });
});

test("the source is an address of either family", () => {
  for (const source of ["192.0.2.7", "2001:db8::7"]) {
    expect(optionsOf("trace", "-s", source, "x").source).toEqual(address(source));
  }
});

test("a target named twice is traced once", () => {
  expect(optionsOf("trace", "192.0.2.1", "192.0.2.2", "192.0.2.1").targets).toEqual([
    ...["192.0.2.1", "192.0.2.2"],
  ]);
});

test("TCP starts from ports of its own, above those of the other protocols", () => {
  const ports = Array.from({ length: 50 }, () => optionsOf("trace", "-p", "tcp", "x").srcPort);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(32768);
  expect(Math.max(...ports)).toBeLessThan(49152);
  expect(new Set(ports).size).toBeGreaterThan(1);
});

describe("a wrong command line is explained in one line", () => {
  const noTarget = "TARGET is missing: addresses or host names";
  const cases: [string, string[], string][] = [
    ["trace", [], noTarget],
    ["trace", ["-4"], noTarget],
    ["trace", [""], 'TARGET "" is empty'],
    ["trace", ["-4", "-6", "x"], "--ipv4 does not go with --ipv6"],
    ["trace", ["--flows", "0", "x"], '--flows "0" is not a number from 1 to 128'],
    ["trace", ["--flows", "129", "x"], '--flows "129" is not a number from 1 to 128'],
    ["trace", ["--flows=-1", "x"], '--flows "-1" is not a number from 1 to 128'],
    ["trace", ["--flows=", "x"], '--flows "" is not a number from 1 to 128'],
    ["trace", ["-q", "101", "x"], '--queries "101" is not a number from 1 to 100'],
    ["trace", ["--first-ttl", "0", "x"], '--first-ttl "0" is not a number from 1 to 255'],
    ["trace", ["-m", "256", "x"], '--max-ttl "256" is not a number from 1 to 255'],
    ["trace", ["--first-ttl", "9", "-m", "8", "x"], "--first-ttl 9 is above --max-ttl 8"],
    ["trace", ["--src-port", "65529", "x"], "8 flows from --src-port 65529 run beyond port 65535"],
    ["trace", ["--src-port", "65536", "x"], '--src-port "65536" is not a number from 0 to 65535'],
    ["trace", ["--dst-port", "http", "x"], '--dst-port "http" is not a number from 0 to 65535'],
    ["trace", ["--rate", "1e3", "x"], '--rate "1e3" is not a number from 1 to 1000000'],
    ["trace", ["--rate", "0x10", "x"], '--rate "0x10" is not a number from 1 to 1000000'],
    ["trace", ["--rate", "1000000000000", "x"], '--rate "1000000000000" is not a number from 1 to 1000000'],
    ["trace", ["-w", "1.5", "x"], '--wait-ms "1.5" is not a number of milliseconds from 1 to 6500'],
    ["trace", ["-p", "sctp", "x"], '--protocol "sctp" is not one of udp, icmp, tcp'],
    ["trace", ["-p", "UDP", "x"], '--protocol "UDP" is not one of udp, icmp, tcp'],
    ["trace", ["-o", "", "x"], '--output "" is not one of table, json, ndjson, csv'],
    ["trace", ["-s", "nine", "x"], '--source "nine" is not an IP address'],
    ["trace", ["-s", "10.1", "x"], '--source "10.1" is not an IP address'],
    ["trace", ["-i", "", "x"], '--interface "" is empty'],
    ["trace", ["--nonsense", "x"], 'there is no option "--nonsense"'],
    ["trace", ["-x", "x"], 'there is no option "-x"'],
    ["trace", ["--flows"], "--flows needs a value: --flows N"],
    ["trace", ["--no-live=yes", "x"], "--no-live takes no value"],
    ["trace", ["-c", "3", "x"], 'there is no option "-c"'],
    ["ping", ["-q", "3", "x"], 'there is no option "-q"'],
    ["ping", ["--ttl", "0", "x"], '--ttl "0" is not a number from 1 to 255'],
    ["ping", ["-c", "0", "x"], '--count "0" is not a number from 1 to 1000000'],
    [
      "ping",
      ["--interval-ms", "3600001", "x"],
      '--interval-ms "3600001" is not a number of milliseconds from 1 to 3600000',
    ],
  ];
  test.each(cases)("%s %j", (command, args, message) => {
    expect(() => optionsOf(command, ...args)).toThrow(message);
  });

  test("more targets than a command line is for", () => {
    const targets = Array.from({ length: targetsMax + 1 }, (_, i) => formatAddress(numbered(i)));
    expect(() => optionsOf("trace", ...targets)).toThrow(
      "1001 targets are too many for one command line: at most 1000",
    );
    expect(optionsOf("trace", ...targets.slice(1)).targets).toHaveLength(targetsMax);
  });
});

function numbered(i: number) {
  return address(`198.18.${i >> 8}.${i & 255}`);
}
