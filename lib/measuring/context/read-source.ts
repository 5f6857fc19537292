/** Reads a data file of any known kind; its first bytes show the kind. */
import { begun } from "../../base/list/first-bytes.ts";
import type { ContextBuilder } from "./context-builder.ts";
import { DataFileError } from "./data-file-error.ts";
import { readRib } from "./mrt/read-rib.ts";
import { readAsRelationships } from "./sources/as-relationships.ts";
import { readDelegated } from "./sources/delegated.ts";
import { readIpinfoCsv, readIpinfoJson } from "./sources/ipinfo.ts";
import { isMmdb, readMmdb } from "./sources/mmdb.ts";
import { readPrefix2as, readPyasn } from "./sources/origin-lists.ts";
import { isPeeringdb, readPeeringdb } from "./sources/peeringdb.ts";
import { isVrpList, readVrpList } from "./sources/vrp-list.ts";

export const sourceKinds = [
  "mrt",
  "pyasn",
  "prefix2as",
  "ipinfo-csv",
  "ipinfo-json",
  "delegated",
  "as-relationships",
  "mmdb",
  "peeringdb",
  "vrps",
] as const;

type SourceKind = (typeof sourceKinds)[number];

interface ReadSource {
  readonly kind: SourceKind;
  /** Prefixes, networks, blocks or rows. */
  readonly count: number;
}

/** Limit for MMDB and JSON files, which are read whole: GeoIP2 City has 120 MB, all VRPs 100 MB. */
const wholeBytesMax = 1024 * 1024 * 1024;
/** Enough for a head line or the first lines of comments. */
const headBytes = 64 * 1024;

const streamed: Readonly<
  Partial<Record<SourceKind, (chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder) => Promise<number>>>
> = {
  mrt: readRib,
  pyasn: readPyasn,
  prefix2as: readPrefix2as,
  "ipinfo-csv": readIpinfoCsv,
  "ipinfo-json": readIpinfoJson,
  delegated: readDelegated,
  "as-relationships": readAsRelationships,
};

/**
 * @param chunks the unpacked file
 * @throws DataFileError with place and reason; the builder then holds half of the file and cannot be used any more
 */
export async function readSource(
  chunks: AsyncIterable<Uint8Array>,
  builder: ContextBuilder,
): Promise<ReadSource> {
  const { first: head, all } = await begun(chunks, (bytes) => bytes.length >= headBytes);
  if (head.length === 0) {
    throw new DataFileError("the whole file", "it is empty");
  }
  const kind = streamedKindOf(head);
  const read = kind === null ? undefined : streamed[kind];
  return kind !== null && read !== undefined
    ? { kind, count: await read(all, builder) }
    : readWhole(await wholeOf(all), builder);
}

function readWhole(file: Uint8Array, builder: ContextBuilder): ReadSource {
  if (isMmdb(file)) {
    return { kind: "mmdb", count: readMmdb(file, builder) };
  }
  const value = jsonOf(file);
  if (isVrpList(value)) {
    return { kind: "vrps", count: readVrpList(value, builder) };
  }
  if (isPeeringdb(value)) {
    return { kind: "peeringdb", count: readPeeringdb(value, builder) };
  }
  throw new DataFileError("the whole file", `not of a kind that is known (${sourceKinds.join(", ")})`);
}

/** Null: MMDB, or JSON as a whole, or unknown. */
function streamedKindOf(head: Uint8Array): SourceKind | null {
  if (head[4] === 0 && (head[5] === 12 || head[5] === 13) && head[6] === 0) {
    return "mrt";
  }
  // The first line may be the odd one.
  const lines = new TextDecoder().decode(head).split("\n", headLinesMax);
  const kinds = lines.map((line) => textKinds.find(({ line: form }) => form.test(line.trim()))?.kind);
  return kinds.find((kind) => kind !== undefined) ?? null;
}

const headLinesMax = 1000;

/** The first whose form a line has. */
const textKinds: readonly { readonly kind: SourceKind; readonly line: RegExp }[] = [
  { kind: "ipinfo-json", line: /^\{.*"(network|start_ip)"\s*:/ },
  { kind: "ipinfo-csv", line: /^(?=(.*,)?"?(network|start_ip)"?(,|$))("?\w+"?,)*"?\w+"?$/ },
  { kind: "delegated", line: /^[\d.]+\|[a-z]+\||^[a-z]+\|([A-Z]{2}|\*)?\|/ },
  { kind: "as-relationships", line: /^\d+\|\d+\|(-1|0)(\||$)/ },
  { kind: "pyasn", line: /^[\d.a-f:]+\/\d+\t\S+$/i },
  { kind: "prefix2as", line: /^[\d.a-f:]+\t\d+\t\S+$/i },
];

function jsonOf(file: Uint8Array): unknown {
  const text = new TextDecoder().decode(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (/^\s*[[{]/.test(text.slice(0, headBytes)) && cause instanceof Error) {
      throw new DataFileError("the whole file", `the JSON cannot be read, is it whole? ${cause.message}`);
    }
    throw new DataFileError("the whole file", `not of a kind that is known (${sourceKinds.join(", ")})`);
  }
}

async function wholeOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.slice());
    size += chunk.length;
    if (size > wholeBytesMax) {
      throw new DataFileError(`byte ${size}`, `the file is larger than ${wholeBytesMax} bytes`);
    }
  }
  return concatenated(parts, size);
}

function concatenated(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
