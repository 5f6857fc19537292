/**
 * Files from others, as `import`, `routes read` and `context update` get them: each ends with a reason in one line that
 * prints as it is, and takes little memory, whatever the file unpacks to or states.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { announce, bgp, mrt } from "../../run/route-bytes.ts";
import { saidBy } from "../../run/said.ts";
import { inTier } from "../../run/tier.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";

/** The most that a process may use: Bun itself takes some 150. */
const usedMbMax = 600;

let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

const number = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
const hex = (text: string) => Buffer.from(text, "hex");
const noise = Buffer.from(Array.from({ length: 300_000 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24));
const hostile = "\u001b]0;owned\u0007\u202e<img src=x>\u0000\r\nvantage: all is well";
const hostileLine = hostile.replace("\r\n", "");
const timestamp = Math.floor(Date.now() / 1000) - 3600;
const atlas = {
  ...{
    af: 4,
    prb_id: 1001,
    msm_id: 5_000_001,
    timestamp,
    proto: "ICMP",
    size: 48,
    type: "traceroute",
    paris_id: 1,
  },
  ...{ src_addr: "10.0.0.2", from: "192.0.2.10", dst_addr: "198.51.100.7", dst_name: "t.example" },
  result: [{ hop: 1, result: [{ from: "10.0.0.1", rtt: 1.1, size: 28, ttl: 250 }] }],
};
const lines = (...results: object[]) =>
  Buffer.from(results.map((one) => `${JSON.stringify(one)}\n`).join(""));
/** An object of warts. */
const warts = (type: number, length: number, body = "") =>
  hex(`1205${number(type, 2)}${number(length, 4)}${body}`);
/** A record of MRT that states this length. */
const record = (type: number, subtype: number, length: number, body = "") =>
  hex(`${number(timestamp, 4)}${number(type, 2)}${number(subtype, 2)}${number(length, 4)}${body}`);
const zeros = (mb: number) => new Uint8Array(mb << 20);
/** Made by another process: what this one takes counts as its children's. */
const bomb = (packer: string) => Bun.spawnSync(["sh", "-c", `head -c 400M /dev/zero | ${packer} -c`]).stdout;
const gzip = (bytes: Uint8Array) => Bun.gzipSync(Buffer.from(bytes));

type Command = "import" | "routes" | "context";
const commands: Readonly<Record<Command, (file: string) => string[]>> = {
  import: (file) => ["import", "--store", store.address, file],
  routes: (file) => ["routes", "read", file],
  context: (file) => ["context", "update", "--dir", join(store.folder, "sets"), file],
};
const all: readonly Command[] = ["import", "routes", "context"];
/** Who unpacks what is large, which takes seconds of CPU. */
const unpacking = (usual: Command) => inTier({ usual: [usual], long: all });

/** What the file is, its bytes, who reads it, and the exit codes that are right. */
const attacks: readonly (readonly [
  what: string,
  bytes: () => Uint8Array,
  by: readonly Command[],
  exits: readonly number[],
])[] = [
  ["nothing", () => zeros(0), all, [0, 1]],
  ["noise", () => noise, all, [1, 3]],
  ["gzip that unpacks to 400 MB of zeros", () => bomb("gzip"), unpacking("import"), [1]],
  ["bzip2 that unpacks to 400 MB of zeros", () => bomb("bzip2"), unpacking("context"), [1]],
  ["gzip in gzip in gzip", () => gzip(gzip(gzip(zeros(1)))), all, [1, 3]],
  ["gzip that is cut off", () => gzip(noise).subarray(0, 1000), all, [1, 3]],
  [
    "gzip with a header without an end",
    () => Buffer.concat([hex("1f8b0808000000000003"), zeros(8).fill(97)]),
    all,
    [1],
  ],
  ["one line of 100 MB", () => zeros(100).fill(0x61), all, [1, 3]],
  ["lists in lists, a million times", () => Buffer.from("[".repeat(1_000_000)), all, [1, 3]],
  ["warts of 4 GiB", () => warts(6, 0xffffffff, "00"), ["import"], [1, 3]],
  [
    "warts of no bytes, without an end",
    () => Buffer.concat(Array.from({ length: 50_000 }, () => warts(6, 0))),
    ["import"],
    [1, 3],
  ],
  [
    "warts whose lists are longer than they",
    () => warts(1, 12, "ffffffffffffffffffffffff"),
    ["import"],
    [1, 3],
  ],
  [
    "warts of noise",
    () => Buffer.concat([warts(6, 200_000), noise.subarray(0, 200_000)]),
    ["import"],
    [1, 3],
  ],
  [
    "a result whose names drive terminals",
    () => lines({ ...atlas, from: hostile, dst_addr: hostile, src_addr: hostile }),
    ["import"],
    [1, 3],
  ],
  [
    "a result of another type, which drives terminals",
    () => lines({ ...atlas, type: hostile }),
    ["import"],
    [0, 1, 3],
  ],
  [
    "results with members that every object has",
    () => Buffer.from(`{"__proto__":{"type":"traceroute"},"constructor":1}\n`),
    ["import"],
    [0, 1, 3],
  ],
  [
    "a hop of a billion, an RTT of 1e308, a TTL of -1",
    () =>
      lines({
        ...atlas,
        result: [{ hop: 1e9, result: [{ from: "10.0.0.1", rtt: 1e308, ttl: -1, size: -1 }] }],
      }),
    ["import"],
    [0, 1, 3],
  ],
  [
    "a result of the year 292,278,994",
    () => lines({ ...atlas, timestamp: 9_223_372_036_854 }),
    ["import"],
    [1, 3],
  ],
  [
    "200,000 answers of one hop",
    () =>
      lines({
        ...atlas,
        result: [
          {
            hop: 1,
            result: Array.from({ length: 200_000 }, () => ({ from: "10.0.0.1", rtt: 1, ttl: 9, size: 9 })),
          },
        ],
      }),
    ["import"],
    [0, 1, 3],
  ],
  ["MRT of 4 GiB", () => record(16, 4, 0xffffffff), ["routes", "context"], [1, 3]],
  [
    "MRT of no bytes, 100,000 records",
    () => Buffer.concat(Array.from({ length: 100_000 }, () => record(13, 2, 0))),
    ["routes", "context"],
    [0, 1, 3],
  ],
  [
    "MRT whose prefix has 255 bits",
    () => record(13, 2, 8, "00000000ff010101"),
    ["routes", "context"],
    [0, 1, 3],
  ],
  [
    "MRT, of which the rest is noise",
    () => Buffer.concat([mrt(announce(1)), noise.subarray(0, 5000)]),
    ["routes"],
    [1, 3],
  ],
  [
    "MRT of 60,000 path segments",
    () => mrt(bgp("", `5002${number(60_000, 2)}${"02010000fbf4".repeat(10_000)}`, "18c63301")),
    ["routes"],
    [0, 1, 3],
  ],
  [
    "CSV that drives terminals and spreadsheets",
    () =>
      Buffer.from(
        `network,asn,as_name,country\n203.0.114.0/24,AS64501,"=cmd|' /C calc'!A1${hostileLine}",X${hostileLine}\n`,
      ),
    ["context"],
    [0, 1, 3],
  ],
  [
    "a table of a million prefixes that are none",
    () => Buffer.from("999.999.999.999/99\t1\n".repeat(200_000)),
    ["context"],
    [1],
  ],
];

const played = attacks.flatMap(([what, bytes, by, exits]) =>
  by.map((command) => [what, command, bytes, exits] as const),
);

test.each(played)("%s, by %s", async (what, command, bytes, exits) => {
  mkdirSync(join(store.folder, "sets"), { recursive: true });
  const file = join(store.folder, `${what.replaceAll(/\W+/g, "-")}.${command}`);
  await Bun.write(file, bytes());
  const child = Bun.spawn([...vantageCommand, ...commands[command](file)], {
    env: { ...process.env, VANTAGE_STORE: undefined, NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout, stderr, exitCode } = await saidBy(child);
  const said = `${stdout}${stderr}`;
  expect({ said: said.slice(0, 500), isRight: exits.includes(exitCode) }).toMatchObject({ isRight: true });
  if (exitCode !== 0) {
    expect(stderr).toStartWith("vantage ");
  }
  if (what.includes("400 MB")) {
    expect(stderr).toContain("it unpacks to more than");
  }
  for (const raw of ["\u001b", "\u0007", "\u202e", "\u0000", "\nvantage: all is well", "    at "]) {
    expect(said.includes(raw)).toBe(false);
  }
  const usedMb = (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20;
  expect({ usedMb, isLarge: usedMb > usedMbMax }).toEqual({ usedMb, isLarge: false });
});
