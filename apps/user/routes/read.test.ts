/** `vantage routes read` of files with damage, of pipes, and of what holds no updates. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  announce,
  badAggregator,
  badCommunities,
  bmp,
  marker,
  mrt,
  peer,
  routes,
} from "../../../tests/run/route-bytes.ts";
import { runToEnd } from "../../../tests/run/said.ts";
import { vantageCommand } from "../../../tests/run/vantage-command.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-routes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fileOf(name: string, ...parts: readonly Uint8Array[]): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, Buffer.concat(parts));
  return path;
}

async function read(...files: readonly string[]) {
  const { stdout, stderr, exitCode } = await runToEnd([
    ...vantageCommand,
    "routes",
    "read",
    "-o",
    "ndjson",
    ...files,
  ]);
  const rows = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return {
    prefixes: rows.map(({ prefix }) => prefix),
    rows,
    said: stderr.split("\n").slice(0, -1),
    exitCode,
  };
}

const route = (third: number, more = "") => routes(announce(third, more));
const prefix = (third: number) => `198.51.${third}.0/24`;
const cutAttribute = "c00808fbf4";
const first = mrt(announce(1));
const secondAt = first.length;

test.each([
  [
    "an UPDATE with malformed COMMUNITIES",
    mrt(announce(2, badCommunities)),
    "1 skipped: malformed UPDATE (COMMUNITIES) (first",
  ],
  [
    "an attribute that is cut",
    mrt(announce(2, cutAttribute)),
    "1 skipped: malformed UPDATE (COMMUNITIES) (first",
  ],
  ["a message that is cut", mrt(announce(2).slice(0, -10)), "1 skipped: record that cannot be read (first"],
  ["bytes behind a message", mrt(`${announce(2)}001122`), "1 skipped: record that cannot be read (first"],
  ["a message of an unknown type", mrt(`${marker}001309`), "1 skipped: record that cannot be read (first"],
  ["a record without a message", mrt(""), "1 skipped: record that cannot be read (first"],
  [
    "more microseconds than a second has",
    mrt(announce(2), [17, 4], 1_000_000),
    "1 skipped: record that cannot be read (first",
  ],
])(
  "%s costs itself alone: the records behind it are shown, and the place is said",
  async (_, damaged, reason) => {
    const file = await fileOf("damaged.mrt", first, damaged, mrt(announce(3)));
    const { prefixes, said, exitCode } = await read(file);
    expect({ prefixes, exitCode }).toEqual({ prefixes: [prefix(1), prefix(3)], exitCode: 3 });
    expect(said).toEqual([expect.stringContaining(`${reason}: ${file}, byte ${secondAt}: `)]);
  },
);

test("times of BGP4MP_ET are read to the microsecond", async () => {
  const { rows, said } = await read(await fileOf("precise.mrt", mrt(announce(1), [17, 4], 999_999)));
  expect([rows[0].time, said]).toEqual(["2023-11-14T22:13:20.999999Z", []]);
});

test("a record that ends within its head says so", async () => {
  const short = Buffer.from(`${"6553f100"}00100004${"00000002"}fbf4`, "hex");
  const { said, exitCode } = await read(await fileOf("short.mrt", first, short, mrt(announce(3))));
  expect(said).toEqual([expect.stringContaining("the record has 2 bytes and ends within its head")]);
  expect(exitCode).toBe(3);
});

test("BMP of another version is named, and a peer of an unknown type costs its message", async () => {
  const other = Uint8Array.from([4, ...bmp(4, "").subarray(1)]);
  const { said, exitCode } = await read(await fileOf("version.bmp", other));
  expect(said).toEqual([expect.stringContaining("byte 0: no message of BMP 3: version 4, length 6")]);
  expect(exitCode).toBe(1);
  const unknown = route(2);
  unknown[6] = 9;
  const found = await read(await fileOf("types.bmp", route(1), unknown, route(3)));
  expect([found.prefixes, found.exitCode]).toEqual([[prefix(1), prefix(3)], 3]);
  expect(found.said).toEqual([expect.stringContaining("a peer of the unknown type 9")]);
});

test("a malformed AGGREGATOR alone is left out of its route, and counted", async () => {
  const bad = mrt(announce(2, badAggregator));
  const file = await fileOf("aggregator.mrt", first, bad, bad);
  const { prefixes, rows, said, exitCode } = await read(file);
  expect({ prefixes, exitCode }).toEqual({ prefixes: [prefix(1), prefix(2), prefix(2)], exitCode: 3 });
  expect(rows[1]).toMatchObject({ aggregator_asn: null, as_path: [64_500] });
  expect(said).toEqual([
    expect.stringContaining(
      `2 left out: attribute AGGREGATOR that is malformed (first: ${file}, byte ${secondAt}: `,
    ),
  ]);
});

test("routes of other families are counted, in MRT and BMP; an End-of-RIB of one is not", async () => {
  const nextHop = `${"00".repeat(8)}c0000201`;
  const vpn = `800e200001800c${nextHop}0070000011${"0000fde80000000a"}c63364`;
  const vpnEnd = "800f03000180";
  const file = await fileOf("vpn.mrt", first, mrt(announce(2, vpn)), mrt(announce(3, vpnEnd)));
  const found = await read(file, await fileOf("vpn.bmp", route(4, vpn)));
  expect([found.prefixes, found.exitCode]).toEqual([[1, 2, 3, 4].map(prefix), 0]);
  expect(found.said).toEqual([
    expect.stringContaining(
      `2 skipped: UPDATE with routes of other families than IPv4 and IPv6 unicast (first: ${file}, ` +
        `byte ${secondAt}`,
    ),
  ]);
});

test("BMP: unknown types and statistics are counted, and are not damage; a malformed UPDATE is", async () => {
  const odd = [bmp(9, ""), bmp(1, peer), bmp(9, "00")];
  const fine = await read(await fileOf("odd.bmp", route(1), ...odd, route(2)));
  expect([fine.prefixes, fine.exitCode]).toEqual([[prefix(1), prefix(2)], 0]);
  expect(fine.said).toEqual([
    expect.stringContaining("2 skipped: BMP message of the unknown type 9 (first"),
    expect.stringContaining("1 skipped: BMP message of statistics (first"),
  ]);
  const bad = await read(await fileOf("bad.bmp", route(1), route(1, badCommunities), route(2)));
  expect([bad.prefixes, bad.exitCode]).toEqual([[prefix(1), prefix(2)], 3]);
  expect(bad.said[0]).toContain(`malformed UPDATE (COMMUNITIES) (first: ${join(folder, "bad.bmp")}, byte `);
});

test("nothing read is a failure, and says what is there; the other files are read", async () => {
  const table = await fileOf("table.mrt", mrt("", [13, 2]));
  const tables = await read(table);
  expect([tables.exitCode, tables.said]).toEqual([
    1,
    [
      "vantage routes read: 1 record of other kinds skipped",
      "vantage routes read: Nothing was read: tables of MRT are read by vantage context update",
    ],
  ]);
  const empty = await fileOf("empty.mrt");
  const good = await fileOf("good.mrt", first);
  const both = await read(empty, good);
  expect([both.prefixes, both.exitCode]).toEqual([[prefix(1)], 1]);
  expect(both.said).toEqual([expect.stringContaining("empty.mrt: the whole file: it is empty")]);
});

/** A record whose head has another length. */
function withLength(record: Buffer, length: number): Buffer {
  const other = Buffer.from(record);
  other.writeUInt32BE(length, 8);
  return other;
}

test.each([
  ["a file that ends within a record", [first, first.subarray(0, 20)], [1], secondAt],
  [
    "a length of 4 GB",
    [first, withLength(mrt(announce(2)), 0xffff_ffff), mrt(announce(3))],
    [1, 3],
    secondAt,
  ],
  ["a length of 4 GB at the start", [withLength(first, 0xffff_0000), mrt(announce(2))], [2], 0],
  [
    "a length that takes in the records behind it",
    [first, withLength(mrt(announce(2)), 3 * secondAt - 12), mrt(announce(3)), mrt(announce(4))],
    [1, 3, 4],
    secondAt,
  ],
  [
    "a length that goes a little beyond its record",
    [first, withLength(mrt(announce(2)), secondAt), mrt(announce(3)), mrt(announce(4))],
    [1, 3, 4],
    secondAt,
  ],
  [
    "a length beyond the file",
    [first, withLength(mrt(announce(2)), 5000), mrt(announce(3))],
    [1, 3],
    secondAt,
  ],
  ["other bytes between", [first, Buffer.from("hello, world, hello"), mrt(announce(3))], [1, 3], secondAt],
])("%s costs what it holds: reading continues at the next record", async (_, parts, expected, at) => {
  const file = await fileOf("length.mrt", ...parts);
  const { prefixes, said, exitCode } = await read(file);
  expect([prefixes, exitCode]).toEqual([expected.map(prefix), 3]);
  expect(said).toEqual([
    expect.stringContaining(
      `1 skipped: record of MRT that is cut, or whose head is damaged (first: ${file}, byte ${at}: `,
    ),
  ]);
});

test("packed files that end early are read up to there; BMP too", async () => {
  const packed = Bun.gzipSync(Buffer.concat([first, mrt(announce(2))]));
  const mrtFile = await fileOf("cut.mrt.gz", packed.subarray(0, -9));
  const cut = await read(mrtFile);
  expect([cut.prefixes, cut.exitCode]).toEqual([[prefix(1), prefix(2)], 3]);
  expect(cut.said).toEqual([
    expect.stringContaining(
      `rest of a file that is cut or damaged (first: ${mrtFile}, byte ${2 * secondAt}: the packed file: `,
    ),
  ]);
  const bmpFile = await read(await fileOf("cut.bmp", route(1), route(2).subarray(0, -3)));
  expect([bmpFile.prefixes, bmpFile.exitCode]).toEqual([[prefix(1)], 3]);
  expect(bmpFile.said[0]).toContain("the stream ends within a message");
  const other = await read(await fileOf("other.bmp", route(1), Buffer.from("hello, world")));
  expect([other.prefixes, other.exitCode]).toEqual([[prefix(1)], 3]);
  const none = await read(await fileOf("none.bmp", Buffer.from("hello, world")));
  expect([none.prefixes, none.exitCode]).toEqual([[], 1]);
});

test("a pipe, a FIFO and packed files are read; what cannot be unpacked is named", async () => {
  const file = await fileOf("plain.mrt", first);
  const piped = async (name: string) => {
    const command = [...vantageCommand, "routes", "read", "-o", "ndjson", name];
    const { stdout, exitCode } = await runToEnd(["sh", "-c", 'cat "$0" | "$@"', file, ...command]);
    return [JSON.parse(stdout).prefix, exitCode];
  };
  expect(await piped("-")).toEqual([prefix(1), 0]);
  expect(await piped("/dev/stdin")).toEqual([prefix(1), 0]);
  const fifo = join(folder, "fifo");
  expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
  const reading = read(fifo);
  const writing = runToEnd(["sh", "-c", 'cat "$0" > "$1"', file, fifo]);
  expect([(await reading).prefixes, (await writing).exitCode]).toEqual([[prefix(1)], 0]);
  const padded = await read(
    await fileOf("padded.gz", Buffer.concat([Bun.gzipSync(first.slice()), Buffer.alloc(9000)])),
  );
  expect([padded.prefixes, padded.said, padded.exitCode]).toEqual([[prefix(1)], [], 0]);
  const zstd = await read(await fileOf("some.zst", Bun.zstdCompressSync(first)));
  expect([zstd.exitCode, zstd.said]).toEqual([1, [expect.stringContaining("compressed with zstd")]]);
});
