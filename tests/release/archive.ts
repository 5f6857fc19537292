/**
 * A folder as .tar.gz, the same bytes for the same files: names in order, owner root, one time for all, modes as they
 * are. gzip's members stand one behind another, 64 MiB of the archive in each, so that no archive lies in memory.
 */
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

const memberBytes = 64 << 20;
/** How thoroughly a release is packed. Quick: seconds of CPU instead of a minute, and a larger file. */
export type Packing = "small" | "quick";
const levels = { small: 6, quick: 1 } as const;

interface ArchiveOrder {
  /** The folder `name` of `parent`. */
  readonly parent: string;
  readonly name: string;
  readonly file: string;
  /** Seconds since the epoch: when everything in it was made. */
  readonly madeAtSec: number;
  readonly packing: Packing;
}

/** Throws an Error with what tar says. */
export async function writeArchive(order: ArchiveOrder): Promise<void> {
  const { parent, name, file, madeAtSec, packing } = order;
  const plain = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
  const command = ["tar", ...plain, `--mtime=@${madeAtSec}`, "-C", parent, "-cf", "-", name];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const complaint = new Response(child.stderr).text();
  const target = createWriteStream(file);
  for await (const member of pieces(child.stdout, memberBytes)) {
    target.write(Bun.gzipSync(member, { library: "libdeflate", level: levels[packing] }));
  }
  target.end();
  await finished(target);
  if ((await child.exited) !== 0) {
    throw new Error(`Cannot make ${file}: ${(await complaint).trim()}`);
  }
}

/** Pieces of exactly this size, whatever the stream comes in; the last one may be smaller. */
async function* pieces(
  stream: ReadableStream<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(bytes);
  let filled = 0;
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + bytes - filled);
      piece.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled === bytes) {
        yield piece;
        piece = new Uint8Array(bytes);
        filled = 0;
      }
    }
  }
  if (filled > 0) {
    yield piece.subarray(0, filled);
  }
}
