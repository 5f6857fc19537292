/** Reads a RIB dump of a route collector: MRT TABLE_DUMP_V2, unpacked (RFC 6396 s.4.3). */
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";
import { PeerPaths } from "../peer-paths.ts";
import { mrtRecords } from "./mrt-records.ts";
import { isRibRecord, readRibRecord } from "./rib-entries.ts";

const tableDumpV2 = 13;
const peerIndexTable = 1;

/**
 * Adds the routes of the dump's peers to the votes; records of other kinds are skipped.
 *
 * @returns how many prefixes counted
 * @throws DataFileError that names the byte; also on a file without a peer index or without a prefix
 */
export async function readRib(chunks: AsyncIterable<Uint8Array>, book: ContextBuilder): Promise<number> {
  const paths = new PeerPaths(book.keepPrivate);
  let peers = 0;
  let prefixes = 0;
  for await (const record of mrtRecords(chunks)) {
    if (record.type === tableDumpV2 && record.subtype === peerIndexTable) {
      peers += peerCountOf(record.body);
    } else if (isRibRecord(record)) {
      const prefix = readRibRecord(record, paths);
      prefixes += book.votes.add(prefix, paths) ? 1 : 0;
    }
  }
  if (peers === 0 || prefixes === 0) {
    const missing = peers === 0 ? "no peer index" : "no route that counts";
    throw new DataFileError(
      "the whole file",
      `it has ${missing}: give a RIB dump (TABLE_DUMP_V2), not updates`,
    );
  }
  book.votes.addPeers(peers);
  return prefixes;
}

/** u32 collector, u16 length of the view's name, the name, u16 peers, the peers. */
function peerCountOf(body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const nameEnd = body.length < 8 ? 0 : 6 + view.getUint16(4);
  return nameEnd + 2 > body.length ? 0 : view.getUint16(nameEnd);
}
