/** Compressed files are recognised by their first bytes, however they arrive; what cannot be unpacked is named. */
import { expect, test } from "bun:test";
import { isLongRun } from "../../../tests/run/tier.ts";
import { unpacked } from "./unpacked.ts";

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function textOf(bytes: Uint8Array, size = 1): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of unpacked(inPieces(bytes, size))) {
    parts.push(Uint8Array.from(part));
  }
  return Buffer.concat(parts).toString();
}

const text = "192.0.2.0/24\t64500\n".repeat(5000);
const plain = Buffer.from(text);
const gzip = Bun.gzipSync(plain);
const bzip2 = Bun.spawnSync(["bzip2", "-c"], { stdin: plain }).stdout;
const zeros = Buffer.alloc(3000);

test.each([
  ["as it is", plain],
  ["gzip", gzip],
  ["several members of gzip", Buffer.concat([gzip.subarray(0), Bun.gzipSync(Buffer.alloc(0))])],
  ["gzip, then zero bytes", Buffer.concat([gzip, zeros])],
  ["bzip2", bzip2],
  ["bzip2, then zero bytes", Buffer.concat([bzip2, zeros])],
])("%s is read, in pieces of any size", async (_, bytes) => {
  for (const size of [1, 1000, 10_000_000]) {
    expect(await textOf(bytes, size)).toBe(text);
  }
});

test.each(["", "B", "BZ", "BZhello", "BZh", "P", "PK", "LZ", "\u001f"])(
  "the text %j is itself",
  async (given) => {
    expect(await textOf(Buffer.from(given))).toBe(given);
  },
);

test.each([
  ["xz", "fd377a585a000004"],
  ["zstd", "28b52ffd0458"],
  ["zip", "504b030414000000"],
  ["lz4", "04224d1864408200"],
  ["lzip", "4c5a4950010c0000"],
  ["compress", "1f9d9048"],
])("%s is refused by name", async (name, hex) => {
  await expect(textOf(Buffer.from(hex, "hex"))).rejects.toThrow(
    `it is compressed with ${name}, which is not read`,
  );
});

test.each([
  ["gzip that is cut", gzip.subarray(0, -9), "unexpected end of file"],
  ["gzip with other bytes behind", Buffer.concat([gzip, zeros, Buffer.from("x")]), "follow its end"],
  ["gzip with text behind", Buffer.concat([gzip, Buffer.from("192.0.2.0/24")]), "other bytes than gzip"],
  ["gzip with bzip2 behind", Buffer.concat([gzip, bzip2]), "other bytes than gzip"],
  ["bzip2 that is cut", bzip2.subarray(0, -9), "the file ends within a packed block"],
  ["bzip2 with other bytes behind", Buffer.concat([bzip2, Buffer.from("hello")]), "bzip2 error"],
])("%s is refused", async (_, bytes, reason) => {
  await expect(textOf(bytes, 4096)).rejects.toThrow(`the packed file: `);
  await expect(textOf(bytes, 4096)).rejects.toThrow(reason);
});

test.each([["gzip", "gzip"], ...(isLongRun ? [["bzip2", "bzip2"] as const] : [])])(
  "a few kB of %s that unpack to 200 MB end at some 64 MiB",
  async (_, command) => {
    const pipe = `head -c 200000000 /dev/zero | ${command} -9 -c`;
    const { stdout } = Bun.spawnSync(["sh", "-c", pipe]);
    expect(stdout.length).toBeLessThan(250_000);
    let bytes = 0;
    const reading = async () => {
      for await (const chunk of unpacked(inPieces(stdout, 262_144))) {
        bytes += chunk.length;
      }
    };
    await expect(reading()).rejects.toThrow("250 times its own size and more");
    // 64 MiB, and 250 times the file.
    expect(bytes).toBeLessThan(67_108_864 + 250 * 250_000);
  },
);

test("what packs well, but not that well, is read whole", async () => {
  const rows = Buffer.from("192.0.2.0/24\t64500\n".repeat(4_000_000));
  let bytes = 0;
  for await (const chunk of unpacked(inPieces(Bun.gzipSync(rows), 262_144))) {
    bytes += chunk.length;
  }
  expect(bytes).toBe(rows.length);
});
