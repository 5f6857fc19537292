/** Inputs of `vantage import` as they come: pipes, arrays, results without a target, damage among good results. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { traceWriters } from "../../../lib/measuring/formats/forms.ts";
import type { Trace } from "../../../lib/measuring/formats/trace.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";

const timestamp = Math.floor(Date.now() / 1000) - 3600;
const common = {
  ...{ af: 4, prb_id: 1001, msm_id: 5_000_001, timestamp, proto: "ICMP", size: 48 },
  ...{ src_addr: "10.0.0.2", from: "192.0.2.10", dst_addr: "198.51.100.7", dst_name: "t.example" },
};
const hops = [
  { hop: 1, result: [{ from: "10.0.0.1", rtt: 1.1, size: 28, ttl: 250 }, { x: "*" }] },
  { hop: 2, result: [{ from: "198.51.100.7", rtt: 9, size: 48, ttl: 57 }] },
];
const traceroute = { ...common, type: "traceroute", paris_id: 1, result: hops };
const ping = {
  ...common,
  type: "ping",
  ttl: 57,
  sent: 3,
  rcvd: 3,
  result: [{ rtt: 9 }, { rtt: 10 }, { x: "*" }],
};
const unresolved = {
  ...{ ...traceroute, dst_addr: undefined },
  result: [{ error: "name resolution failed: non-recoverable failure in name resolution (1)" }],
};
const good = [traceroute, ping];
const goodLine = "2 traces and pings: 6 probes, 4 answers";

function linesOf(results: readonly unknown[]): string {
  return results.map((one) => `${JSON.stringify(one)}\n`).join("");
}

let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

/** `piped`: a file that comes by a pipe at standard input. */
async function imported(files: readonly string[], piped: string | null = null) {
  const command = [...vantageCommand, "import", "--store", store.address, ...files];
  const { stdout, stderr, exitCode } = await runToEnd(
    piped === null ? command : ["sh", "-c", 'cat "$0" | "$@"', piped, ...command],
  );
  return { said: stdout.split("\n")[1], stderr, exitCode };
}

async function importedText(text: string | Uint8Array, name = "some.json") {
  const file = join(store.folder, name);
  await Bun.write(file, text);
  return imported([file]);
}

test.each([
  ["one line", JSON.stringify(good)],
  ["many lines", JSON.stringify(good, null, 2)],
  ["two arrays", `[${JSON.stringify(traceroute)}]\n[${JSON.stringify(ping)}]`],
  ["lines", linesOf(good)],
  ["lines without a last newline", linesOf(good).trimEnd()],
])("results in %s are read", async (_, text) => {
  expect(await importedText(text)).toEqual({ said: goodLine, stderr: "", exitCode: 0 });
});

test.each([["-"], ["/dev/stdin"]])("a pipe at %s is read once", async (name) => {
  const file = join(store.folder, "piped.json");
  await Bun.write(file, linesOf(good));
  expect(await imported([name], file)).toEqual({ said: goodLine, stderr: "", exitCode: 0 });
});

test("a FIFO is read once", async () => {
  const fifo = join(store.folder, "fifo");
  expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
  const running = imported([fifo]);
  createWriteStream(fifo).end(Bun.gzipSync(Buffer.from(linesOf(good))));
  expect(await running).toEqual({ said: goodLine, stderr: "", exitCode: 0 });
});

test("a result whose target was not found is counted, and is not damage", async () => {
  const { said, stderr, exitCode } = await importedText(linesOf([traceroute, unresolved, ping, unresolved]));
  expect({ said, exitCode }).toEqual({ said: goodLine, exitCode: 0 });
  expect(stderr).toMatch(
    /^vantage import: 2 skipped: result without the address of a target \(first: .*some\.json, line 2\)\n$/,
  );
});

test.each([
  [
    "a cut line",
    `${linesOf([traceroute])}{"type": "pi\n${linesOf([ping])}`,
    goodLine,
    "a JSON object (first",
  ],
  [
    "a negative RTT",
    linesOf([traceroute, { ...ping, result: [{ rtt: -9 }, { rtt: 10 }, { x: "*" }] }]),
    goodLine,
    "1 left out: negative RTT (first",
  ],
  [
    "an answer that cannot be read",
    linesOf([traceroute, { ...ping, result: [{ rtt: "9" }, { rtt: 10 }, { x: "*" }] }]),
    "2 traces and pings: 6 probes, 3 answers",
    "1 left out: answer that cannot be read (first",
  ],
  [
    "an RTT above a day",
    linesOf([traceroute, { ...ping, result: [{ rtt: 1e300 }, { rtt: 10 }, { x: "*" }] }]),
    "2 traces and pings: 6 probes, 3 answers",
    "1 left out: answer that cannot be read (first",
  ],
  [
    "a label beyond 20 bits",
    linesOf([
      traceroute,
      {
        ...{ ...traceroute, type: "traceroute" },
        result: [
          {
            hop: 1,
            result: [{ from: "10.0.0.1", rtt: 1, icmpext: { obj: [{ mpls: [{ label: 2 ** 40 }] }] } }],
          },
        ],
      },
    ]),
    "2 traces and pings: 4 probes, 2 answers",
    "icmpext.obj.0.mpls.0.label: ",
  ],
  ["a wrong field", linesOf([traceroute, { ...ping, prb_id: "x" }, ping]), goodLine, "line 2: prb_id: "],
  [
    "a result of 1970",
    linesOf([...good, { ...ping, timestamp: 5 }]),
    goodLine,
    "result 3: it is of 1970-01-01; the store keeps what is from ",
  ],
  ["an array that is cut", JSON.stringify([...good, ping]).slice(0, -20), goodLine, "1 skipped: array that"],
  ["an item that is a number", JSON.stringify([1, ...good]), goodLine, "not a JSON object (first"],
])("%s costs itself alone, with its place, and exit code 3", async (_, text, expected, reason) => {
  const { said, stderr, exitCode } = await importedText(text);
  expect({ said, exitCode }).toEqual({ said: expected, exitCode: 3 });
  expect(stderr).toContain(reason);
  expect(stderr).toMatch(/^vantage import: 1 .*some\.json, (line|byte|result) \d+/);
});

test("nothing to import is a failure; an empty list is not", async () => {
  const found = await Promise.all([
    importedText("", "empty.json"),
    importedText("\n\n", "blank.json"),
    importedText(linesOf([unresolved]), "none.json"),
    importedText("hello\n", "text.json"),
    importedText(linesOf([{ type: "dns" }]), "dns.json"),
    importedText("[]\n", "list.json"),
  ]);
  expect(found.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1, 1, 0]);
  expect(found[0]?.stderr).toContain("empty.json: the whole file: it is empty");
  expect(found[4]?.stderr).toContain("but 1 result of other kinds");
  expect(found[5]?.said).toBe("0 traces and pings: 0 probes, 0 answers");
});

test("what cannot be unpacked is refused by name; zero bytes behind gzip are passed over", async () => {
  const packed = Bun.gzipSync(Buffer.from(linesOf(good)));
  const padded = await importedText(Buffer.concat([packed, Buffer.alloc(5000)]), "padded.gz");
  expect(padded).toEqual({ said: goodLine, stderr: "", exitCode: 0 });
  const zstd = await importedText(Bun.zstdCompressSync(Buffer.from(linesOf(good))), "some.zst");
  expect([zstd.exitCode, zstd.stderr]).toEqual([1, expect.stringContaining("it is compressed with zstd")]);
  const xz = await importedText(Buffer.from("fd377a585a000004e6d6b446", "hex"), "some.xz");
  expect([xz.exitCode, xz.stderr]).toEqual([1, expect.stringContaining("xz -dc FILE | vantage")]);
});

/** A list, a cycle, and traces of a hop each. */
function wartsObjects(count: number): Buffer[] {
  const writer = traceWriters.warts();
  const received = new Date(timestamp * 1000).toISOString().replace("Z", "000000Z");
  const reply = {
    ...{ time_received: received, probe_ttl: 1, reply_src_addr: "192.0.2.1", rtt_ms: 1, reply_ttl: 64 },
    ...{ reply_quoted_ttl: 1, reply_size: 68, reply_id: 0, reply_protocol: 1, reply_icmp_type: 11 },
    ...{ reply_icmp_code: 0, reply_mpls_labels: [], probe_src_addr: "192.0.2.9", probe_size: 20 },
  };
  const trace: Trace = {
    ...{ measurement_id: "one", agent: "west", address: "198.51.100.1", protocol: "UDP" },
    ...{ src_port: 24_000, dst_port: 33_434, round: 0, probes: [{ ttl: 1, sent: 1 }], replies: [reply] },
  };
  const bytes = Buffer.from(writer.row(trace));
  const traceAt = bytes.lastIndexOf(Buffer.from("12050006", "hex"));
  const object = bytes.subarray(traceAt);
  return [bytes.subarray(0, traceAt), ...Array(count).fill(object)];
}

/** The file whose second trace has another length. */
function withLength(objects: readonly Buffer[], length: number): Buffer {
  const all = Buffer.concat(objects);
  all.writeUInt32BE(length, (objects[0]?.length ?? 0) + (objects[1]?.length ?? 0) + 4);
  return all;
}

test("files that end early give what was whole: packed, warts, and an object whose length is wrong", async () => {
  const packed = Bun.gzipSync(Buffer.from(linesOf(good)));
  const cut = await importedText(packed.subarray(0, -6), "early.json.gz");
  expect([cut.said, cut.exitCode]).toEqual([goodLine, 3]);
  expect(cut.stderr).toMatch(/^vantage import: 1 skipped: rest of a file .*, byte \d+: the packed file: /);
  const file = join(store.folder, "three.warts");
  const objects = wartsObjects(4);
  const all = Buffer.concat(objects);
  const own = objects[3]?.length ?? 0;
  for (const [bytes, traces] of [
    [all.subarray(0, -1), 3],
    [withLength(objects, 0xff00_0000), 3],
    [withLength(objects, 3000), 3],
    [withLength(objects, 2 * own - 8), 3],
    [withLength(objects, own), 3],
    [Buffer.concat([all, Buffer.from("hello, world")]), 4],
  ] as const) {
    await Bun.write(file, bytes);
    const { said, stderr, exitCode } = await imported([file]);
    expect([said?.split(" ")[0], exitCode]).toEqual([String(traces), 3]);
    expect(stderr).toMatch(/1 skipped: object that is cut, or whose head is damaged \(first: .*, byte \d+: /);
  }
  const other = await importedText(Buffer.from("1205ffff", "hex"), "none.warts");
  expect([other.exitCode, other.stderr]).toEqual([
    1,
    expect.stringContaining("the file ends within this object"),
  ]);
});
