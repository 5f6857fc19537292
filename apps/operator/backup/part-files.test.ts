import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError } from "../../../lib/command/command/command-error.ts";
import { sealed, unsealed } from "./part-cipher.ts";
import { PartFiles } from "./part-files.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-parts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = new Uint8Array(32).fill(7);
const chunk = 65_536 + 16;

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function whole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of content) {
    all.push(piece);
  }
  return Buffer.concat(all);
}

/** Does not repeat. */
function sample(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    bytes[i] = (i * 2_654_435_761) >>> 13;
  }
  return bytes;
}

describe("encryption", () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 200_000])(
    "%i bytes come back, however they are cut",
    async (length) => {
      const content = sample(length);
      const written = await whole(sealed(pieces(content, 1000), key));
      expect(await whole(unsealed(pieces(written, 777), key))).toEqual(Buffer.from(content));
    },
  );

  const cuts: readonly (readonly [string, (written: Buffer) => Uint8Array])[] = [
    ["without its last chunk", (written) => written.subarray(0, 36 + 2 * chunk)],
    ["without its last byte", (written) => written.subarray(0, -1)],
    ["without all chunks", (written) => written.subarray(0, 36)],
    [
      "with two chunks in each other's place",
      (written) =>
        Buffer.concat([
          written.subarray(0, 36),
          written.subarray(36 + chunk, 36 + 2 * chunk),
          written.subarray(36, 36 + chunk),
          written.subarray(36 + 2 * chunk),
        ]),
    ],
    [
      "with another salt",
      (written) => Buffer.concat([written.subarray(0, 4), sample(32), written.subarray(36)]),
    ],
    [
      "with a changed bit",
      (written) => {
        const changed = Buffer.from(written);
        changed[100] = (changed[100] ?? 0) ^ 1;
        return changed;
      },
    ],
    ["with more behind it", (written) => Buffer.concat([written, sample(100)])],
  ];

  test.each(cuts)("a file %s is refused", async (_, spoil) => {
    const written = await whole(sealed(pieces(sample(200_000), 1000), key));
    await expect(whole(unsealed(pieces(spoil(written), 777), key))).rejects.toThrow(
      "it is damaged, truncated",
    );
  });

  test("another key is refused, and the same content never looks the same", async () => {
    const written = await whole(sealed(pieces(sample(10), 10), key));
    await expect(whole(unsealed(pieces(written, 10), new Uint8Array(32)))).rejects.toThrow("another key");
    expect(await whole(sealed(pieces(sample(10), 10), key))).not.toEqual(written);
  });
});

describe.each([
  ["plain", null],
  ["encrypted", key],
] as const)("part files, %s", (name, partKey) => {
  const parts = new PartFiles(join(folder, name), partKey);
  const lines = Buffer.from("one\ntwo\nthree\n".repeat(50_000));

  test("a part has its checksums and lines, and comes back", async () => {
    const part = await parts.write("rows/a.tsv", pieces(lines, 10_000));
    const stored = readFileSync(join(parts.folder, part.file));
    expect(part).toMatchObject({
      bytes: stored.length,
      sha256: createHash("sha256").update(stored).digest("hex"),
      content: {
        bytes: lines.length,
        lines: 150_000,
        sha256: createHash("sha256").update(lines).digest("hex"),
      },
    });
    expect(await whole(parts.read(part))).toEqual(lines);
    expect(statSync(join(parts.folder, part.file)).mode & 0o777).toBe(0o600);
  });

  test("a part that was cut, or grew, is refused by name", async () => {
    const part = await parts.write("rows/b.tsv", pieces(sample(300_000), 10_000));
    const path = join(parts.folder, part.file);
    const stored = readFileSync(path);
    for (const changed of [stored.subarray(0, -10), Buffer.concat([stored, stored]), Buffer.alloc(0)]) {
      writeFileSync(path, changed);
      const refused = parts.check(part).then(
        () => null,
        (error: unknown) => error,
      );
      expect(await refused).toBeInstanceOf(CommandError);
      expect(String(await refused)).toContain(path);
    }
  });

  test("a failure of the source is the writer's", async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void> {
      yield sample(100);
      throw new Error("the source has ended");
    }
    await expect(parts.write("rows/c.tsv", broken())).rejects.toThrow("the source has ended");
  });
});
