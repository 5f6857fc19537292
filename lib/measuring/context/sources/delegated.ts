/**
 * delegated-extended files of the regional registries: which blocks were delegated to whom, by country.
 *
 *     registry|cc|type|start|value|date|status|opaque-id
 *
 * For IPv4, `value` counts addresses and need not be a power of two; for IPv6 it is the prefix length. The version
 * line, the summary lines and those of AS numbers have no block.
 */
import { parseAddress } from "../../../net/ip/address.ts";
import { prefixesOfRange } from "../../../net/ip/address-range.ts";
import { addressOfWords, wordsOf } from "../../../net/ip/words.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, type Line, readLines } from "./lines.ts";

const columnsMin = 7;

/** Returns the number of blocks. */
export function readDelegated(chunks: AsyncIterable<Uint8Array>, builder: ContextBuilder): Promise<number> {
  const take = (line: Line) => {
    const columns = line.text.split("|");
    const [registry = "", country = "", type = "", start = "", value = "", , status = ""] = columns;
    if (isVersion(columns) || isSummary(columns)) {
      return false;
    }
    if (columns.length < columnsMin || !["asn", "ipv4", "ipv6"].includes(type)) {
      const detail = `"${line.text.slice(0, 80)}" is neither a block nor a summary`;
      throw badLine(line, "line that is neither a block nor a summary", detail);
    }
    if (type === "asn") {
      return false;
    }
    const fact = { registry, country: /^[A-Z]{2}$/.test(country) ? country : null, status };
    for (const { base, bits } of blocksOf(type === "ipv4" ? "ipv4" : "ipv6", start, value, line)) {
      builder.registrations.add(base, bits, fact);
    }
    return true;
  };
  return readLines(chunks, { builder, take });
}

/** `2|ripencc|serial|records|start|end|offset` */
function isVersion([first = "", registry = ""]: readonly string[]): boolean {
  return /^[\d.]+$/.test(first) && /^[a-z]+$/.test(registry);
}

/** `registry|*|type|*|count|summary` */
function isSummary(columns: readonly string[]): boolean {
  return columns[1] === "*" && columns[3] === "*" && columns[5] === "summary";
}

function blocksOf(type: "ipv4" | "ipv6", start: string, text: string, line: Line) {
  const address = parseAddress(start);
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const isWithin = type === "ipv4" ? value >= 1 && value <= 2 ** 32 : value >= 0 && value <= 128;
  const reason = "line whose block cannot be read";
  if (address === null || start.includes(":") !== (type === "ipv6") || !isWithin) {
    throw badLine(line, reason, `"${start}|${text}" is not a block of ${type}`.slice(0, 120));
  }
  const first = wordsOf(address);
  if (type === "ipv6") {
    return [{ base: first, bits: value }];
  }
  const last = first[3] + value - 1;
  if (last > 0xffffffff) {
    throw badLine(line, reason, `${value} addresses from ${start} end behind the last IPv4 address`);
  }
  return prefixesOfRange(address, addressOfWords([0, 0, 0xffff, last]));
}
