/** Reads a file of kept routes, whose format is in `kept-routes.ts`. */
import { closeSync, openSync, readSync } from "node:fs";
import { type FilePosition, headBytes, kinds } from "./kept-entries.ts";

const pieceBytes = 4 * 1024 * 1024;

interface KeptUpdates {
  readonly pathId: number | null;
  /** Messages of update.capnp, one after another. */
  readonly messages: Uint8Array;
}

export type KeptEntry =
  | ({ readonly kind: "updates" } & KeptUpdates)
  | { readonly kind: "published" }
  | ({ readonly kind: "position" } & FilePosition);

interface PlacedEntry {
  readonly entry: KeptEntry;
  /** Its first byte in the file. */
  readonly offset: number;
}

/** Entries in order from a byte on, which must be the first one of an entry; none without a file. */
export function* entriesOf(path: string, fromByte: number): Generator<PlacedEntry> {
  const file = openOrNull(path);
  if (file === null) {
    return;
  }
  try {
    let rest = Buffer.alloc(0);
    let [place, offset] = [fromByte, fromByte];
    for (;;) {
      const piece = Buffer.alloc(pieceBytes);
      const count = readSync(file, piece, 0, pieceBytes, place);
      if (count === 0) {
        return;
      }
      place += count;
      rest = Buffer.concat([rest, piece.subarray(0, count)]);
      let at = 0;
      for (; rest.length - at >= headBytes; ) {
        const end = at + headBytes + rest.readUInt32LE(at);
        if (end > rest.length) {
          break;
        }
        for (const entry of entryIn(rest.subarray(at, end))) {
          yield { entry, offset: offset + at };
        }
        at = end;
      }
      offset += at;
      rest = rest.subarray(at);
    }
  } finally {
    closeSync(file);
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch {
    return null;
  }
}

function* entryIn(bytes: Buffer): Generator<KeptEntry> {
  const body = bytes.subarray(headBytes);
  if (bytes[4] === kinds.update) {
    yield { kind: "updates", pathId: bytes[5] === 1 ? bytes.readUInt32LE(8) : null, messages: body };
  } else if (bytes[4] === kinds.published) {
    yield { kind: "published" };
  } else if (bytes[4] === kinds.position) {
    yield { kind: "position", ...(JSON.parse(body.toString()) as FilePosition) };
  }
}
