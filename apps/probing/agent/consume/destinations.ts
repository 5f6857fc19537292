/**
 * Destinations that this agent must not probe: reserved ranges, and the lists of the operator's files and of the
 * gateway.
 *
 * Each of them can refuse alone: a destination passes when no blocklist contains it or an IPv4 address embedded in it,
 * and every allowlist contains it. Reserved ranges need no list: they apply from the first packet, with or without a
 * gateway.
 */
import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { blocklistAnswerSchema } from "../../../../lib/measuring/probing/agent-report.ts";
import { ledTo } from "../../../../lib/measuring/probing/led-to.ts";
import { readPrefixList } from "../../../../lib/measuring/probing/prefix-list.ts";
import { PrefixSet } from "../../../../lib/measuring/probing/prefix-set.ts";
import { reservedRanges } from "../../../../lib/measuring/probing/reserved-ranges.ts";
import type { Address } from "../../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";

/** Paths of the lists; null = no list. */
export interface DestinationFiles {
  readonly blocklist: string | null;
  readonly allowlist: string | null;
  /** The gateway's list as received, in JSON; it need not exist yet. */
  readonly gateway: string | null;
  readonly blocksReservedRanges: boolean;
}

export class Destinations {
  /** All blocklists in one: one lookup for each probe. */
  readonly #blocked: PrefixSet;
  readonly #allowed: readonly PrefixSet[];

  constructor(blocked: readonly Prefix[], allowed: readonly PrefixSet[]) {
    this.#blocked = new PrefixSet(blocked);
    this.#allowed = allowed;
  }

  /** Throws Error, with file, line and reason, when one of them cannot be read. */
  static read({ blocklist, allowlist, gateway, blocksReservedRanges }: DestinationFiles): Destinations {
    const blocked = [
      ...(blocksReservedRanges ? reservedRanges.map(({ prefix }) => prefix) : []),
      ...(blocklist === null ? [] : readList(blocklist)),
    ];
    const allowed = allowlist === null ? [] : [new PrefixSet(readList(allowlist))];
    if (gateway === null || !existsSync(gateway)) {
      return new Destinations(blocked, allowed);
    }
    const lists = readGatewayList(gateway);
    return new Destinations(blocked.concat(lists.blocked), [...allowed, ...lists.allowed]);
  }

  blocks(destination: Address): boolean {
    return (
      ledTo(destination, (address) => this.#blocked.match(address)) !== null ||
      this.#allowed.some((list) => list.match(destination) === null)
    );
  }
}

function readList(path: string): readonly Prefix[] {
  const result = readPrefixList(textOf(path));
  if (!result.ok) {
    throw new Error(`Cannot use ${path}: ${result.problems.join("; ")}`);
  }
  return result.prefixes;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`Cannot read the list ${path}: ${systemReason(error)}`, { cause: error });
  }
}

function readGatewayList(path: string): { readonly blocked: Prefix[]; readonly allowed: PrefixSet[] } {
  const answer = v.parse(blocklistAnswerSchema, JSON.parse(readFileSync(path, "utf8")));
  return {
    blocked: prefixesOf(answer.blocked, path),
    allowed: answer.allowed === null ? [] : [new PrefixSet(prefixesOf(answer.allowed, path))],
  };
}

function prefixesOf(texts: readonly string[], path: string): Prefix[] {
  return texts.map((text) => {
    const prefix = parsePrefix(text);
    if (prefix === null) {
      throw new Error(`Cannot use ${path}: "${text.slice(0, 64)}" is not a prefix`);
    }
    return prefix;
  });
}
