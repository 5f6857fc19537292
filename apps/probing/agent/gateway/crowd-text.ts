/** Parses the gateway's table of agents per destination bucket. */
import { inflateRawSync } from "node:zlib";
import { Failure } from "../../../../lib/base/failure/failure.ts";
import { destinationBuckets } from "../../../../lib/measuring/probing/destination-bucket.ts";

const bytes = 2 * destinationBuckets;

/** Expects exactly one number for each bucket. Throws Failure `agentGateway` `unusable` for anything else. */
export function unpackCrowd(text: string): Uint16Array {
  const unpacked = unpack(text);
  if (unpacked?.length !== bytes) {
    throw new Failure(
      "agentGateway",
      "unusable",
      `Cannot use the answer to …/crowd: no table of ${bytes} bytes`,
    );
  }
  return new Uint16Array(Uint8Array.from(unpacked).buffer);
}

function unpack(text: string): Uint8Array | null {
  try {
    return inflateRawSync(Buffer.from(text, "base64"), { maxOutputLength: bytes });
  } catch {
    return null;
  }
}
