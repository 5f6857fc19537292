/**
 * delegated-extended files of the regional registries: which blocks were delegated to whom, by country.
 *
 *     registry|cc|type|start|value|date|status|opaque-id
 *
 * For IPv4, `value` counts addresses and need not be a power of two; for IPv6 it is the prefix length. The version
 * line and the summary lines are skipped.
 */
import { parseAddress } from "../../../net/ip/address.ts";
import { prefixesOfRange } from "../../../net/ip/address-range.ts";
import { addressOfWords, wordsOf } from "../../../net/ip/words.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { badLine, type Line, lines } from "./lines.ts";

const columns = 7;

/** Returns the number of blocks. */
export async function readDelegated(
  chunks: AsyncIterable<Uint8Array>,
  book: ContextBuilder,
): Promise<number> {
  let count = 0;
  for await (const line of lines(chunks)) {
    const [registry = "", country = "", type = "", start = "", value = "", , status = ""] =
      line.text.split("|");
    const isBlock = (type === "ipv4" || type === "ipv6") && start !== "*";
    if (isBlock && line.text.split("|").length >= columns) {
      const fact = { registry, country: /^[A-Z]{2}$/.test(country) ? country : null, status };
      for (const { base, bits } of blocksOf(type, start, Number(value), line)) {
        book.registrations.add(base, bits, fact);
      }
      count++;
    }
  }
  return count;
}

function blocksOf(type: "ipv4" | "ipv6", start: string, value: number, line: Line) {
  const address = parseAddress(start);
  const isWithin = type === "ipv4" ? value >= 1 && value <= 2 ** 32 : value >= 0 && value <= 128;
  if (address === null || !Number.isInteger(value) || !isWithin) {
    throw badLine(line, `"${start}|${value}" is not a block of ${type}`);
  }
  const first = wordsOf(address);
  if (type === "ipv6") {
    return [{ base: first, bits: value }];
  }
  const last = first[3] + value - 1;
  if (last > 0xffffffff) {
    throw badLine(line, `${value} addresses from ${start} end behind the last IPv4 address`);
  }
  return prefixesOfRange(address, addressOfWords([0, 0, 0xffff, last]));
}
