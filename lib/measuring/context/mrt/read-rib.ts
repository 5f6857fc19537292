/** Reads a RIB dump of a route collector: MRT TABLE_DUMP_V2, unpacked (RFC 6396 s.4.3). */
import type { PassedOver } from "../../../base/list/passed-over.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";
import { PeerPaths } from "../peer-paths.ts";
import { mrtRecords } from "./mrt-records.ts";
import { PeerIndex } from "./peer-index.ts";
import { isRibRecord, readRibRecord } from "./rib-entries.ts";

const tableDumpV2 = 13;
const peerIndexTable = 1;

/**
 * Adds the routes of the dump's peers to the votes. Records of other kinds, and unreadable ones, are skipped
 * and counted.
 *
 * @returns how many prefixes counted
 * @throws DataFileError that names the byte; also on a file without a peer index or without a prefix
 */
export async function readRib(chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder): Promise<number> {
  const paths = new PeerPaths(builder.keepPrivate);
  const peers = new PeerIndex();
  let prefixes = 0;
  let firstBroken: DataFileError | null = null;
  const note: PassedOver["note"] = (odd) => {
    firstBroken ??= new DataFileError(odd.place, odd.detail ?? odd.reason);
    builder.passOver(odd);
  };
  for await (const record of mrtRecords(chunks, note)) {
    const place = `byte ${record.byteOffset}`;
    const onBroken = (detail: string) =>
      builder.passOver({
        reason: "entry of a RIB record that cannot be read",
        place,
        detail,
        isDamage: true,
      });
    const reason = wholeFailure(() => {
      if (record.type === tableDumpV2 && record.subtype === peerIndexTable) {
        peers.read(record.body);
      } else if (isRibRecord(record)) {
        const prefix = readRibRecord(record, { paths, peers, onBroken });
        prefixes += builder.votes.add(prefix, paths) ? 1 : 0;
      } else {
        const other = `MRT record of type ${record.type}, subtype ${record.subtype}`;
        builder.passOver({ reason: other, place, isDamage: false });
      }
    });
    if (reason !== null) {
      firstBroken ??= new DataFileError(place, `the RIB record is not whole: ${reason}`);
      builder.passOver({ reason: "RIB record that is not whole", place, detail: reason, isDamage: true });
    }
  }
  if (!peers.hasAny || prefixes === 0) {
    const missing = peers.hasAny ? "no route that counts" : "no peer index";
    const text = `it has ${missing}: give a RIB dump (TABLE_DUMP_V2), not updates or TABLE_DUMP`;
    throw firstBroken ?? new DataFileError("the whole file", text);
  }
  builder.votes.addPeers(peers.occurring);
  return prefixes;
}

/** Why a record is not whole; null = it is. */
function wholeFailure(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (cause) {
    if (cause instanceof RangeError) {
      return cause.message;
    }
    throw cause;
  }
}
