/**
 * Where this agent sends no probe: what the operator's files and the gateway's list say.
 *
 * Each of them can refuse alone: a destination passes when no blocklist holds it, and every allowlist there is does.
 */
import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { systemReason } from "../../../lib/config/system-reason.ts";
import type { Address } from "../../../lib/ip/address.ts";
import { parsePrefix } from "../../../lib/ip/prefix.ts";
import { blocklistAnswerSchema } from "../../../lib/probing/agent-report.ts";
import { readPrefixList } from "../../../lib/probing/prefix-list.ts";
import { PrefixSet } from "../../../lib/probing/prefix-set.ts";

/** Paths of the lists; null = there is none. */
export interface DestinationFiles {
  readonly blocklist: string | null;
  readonly allowlist: string | null;
  /** The gateway's list as it was answered, in JSON; it need not be there yet. */
  readonly gateway: string | null;
}

export class Destinations {
  readonly #blocked: readonly PrefixSet[];
  readonly #allowed: readonly PrefixSet[];

  constructor(blocked: readonly PrefixSet[], allowed: readonly PrefixSet[]) {
    this.#blocked = blocked;
    this.#allowed = allowed;
  }

  /** Throws Error, with the file, the line and what is wrong, when one of them cannot be read. */
  static read({ blocklist, allowlist, gateway }: DestinationFiles): Destinations {
    const blocked = blocklist === null ? [] : [readList(blocklist)];
    const allowed = allowlist === null ? [] : [readList(allowlist)];
    if (gateway !== null && existsSync(gateway)) {
      const lists = readGatewayList(gateway);
      blocked.push(lists.blocked);
      allowed.push(...lists.allowed);
    }
    return new Destinations(blocked, allowed);
  }

  blocks(destination: Address): boolean {
    return (
      this.#blocked.some((list) => list.match(destination) !== null) ||
      this.#allowed.some((list) => list.match(destination) === null)
    );
  }
}

function readList(path: string): PrefixSet {
  const result = readPrefixList(textOf(path));
  if (!result.ok) {
    throw new Error(`Cannot use ${path}: ${result.problems.join("; ")}`);
  }
  return new PrefixSet(result.prefixes);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`Cannot read the list ${path}: ${systemReason(error)}`, { cause: error });
  }
}

function readGatewayList(path: string): { readonly blocked: PrefixSet; readonly allowed: PrefixSet[] } {
  const answer = v.parse(blocklistAnswerSchema, JSON.parse(readFileSync(path, "utf8")));
  return {
    blocked: setOf(answer.blocked, path),
    allowed: answer.allowed === null ? [] : [setOf(answer.allowed, path)],
  };
}

function setOf(texts: readonly string[], path: string): PrefixSet {
  return new PrefixSet(
    texts.map((text) => {
      const prefix = parsePrefix(text);
      if (prefix === null) {
        throw new Error(`Cannot use ${path}: "${text.slice(0, 64)}" is no prefix`);
      }
      return prefix;
    }),
  );
}
