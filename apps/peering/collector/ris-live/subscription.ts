/**
 * A subscription of RIS Live (ris-live.ripe.net/manual): which messages a client wants.
 *
 *     {"type": "ris_subscribe", "data": {"prefix": "2001:db8::/32", "moreSpecific": true, "host": "192.0.2.1",
 *       "peer": "192.0.2.9", "path": "64500,64501$", "type": "UPDATE", "require": "announcements",
 *       "socketOptions": {"acknowledge": true}}}
 *
 * What is left out or null lets everything through; `moreSpecific` is true unless it is said. `path` is ASes one behind
 * another, `^` the begin and `$` the end of the path.
 */
import * as v from "valibot";
import type { AsPath } from "../../../../lib/net/bgp/as-path.ts";
import { type Address, parseAddress } from "../../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { addressText } from "../address-text.ts";
import { type Change, type RouteFilter, wants } from "../watch/route-filter.ts";
import { patternAsnsMax, prefixesMax } from "./limits.ts";

const messageTypes = ["UPDATE", "RIS_PEER_STATE"] as const;
type MessageType = (typeof messageTypes)[number];

const short = v.pipe(v.string(), v.maxLength(64, "is too long"));
const typeWords = `must be ${messageTypes.join(" or ")}: other messages are not available here`;

export const subscriptionSchema = v.object({
  host: v.nullish(short),
  type: v.nullish(v.picklist(messageTypes, typeWords)),
  require: v.nullish(short),
  peer: v.nullish(addressText),
  path: v.nullish(v.union([v.pipe(v.string(), v.maxLength(400, "is too long")), v.number()])),
  prefix: v.nullish(
    v.union([short, v.pipe(v.array(short), v.maxLength(prefixesMax, "has too many prefixes"))]),
  ),
  moreSpecific: v.nullish(v.boolean(), true),
  lessSpecific: v.nullish(v.boolean(), false),
  socketOptions: v.nullish(
    v.object({ includeRaw: v.nullish(v.boolean()), acknowledge: v.nullish(v.boolean(), false) }),
  ),
});

type Given = v.InferOutput<typeof subscriptionSchema>;

interface PathPattern {
  readonly asns: readonly number[];
  readonly atBegin: boolean;
  readonly atEnd: boolean;
}

export class Subscription {
  /** Null = all messages. */
  readonly require: string | null;
  readonly #type: MessageType | null;
  readonly #pattern: PathPattern | null;
  readonly #filters: readonly RouteFilter[];

  private constructor({ host, type, require, moreSpecific: more, lessSpecific: less }: Given, parts: Parts) {
    this.require = require ?? null;
    this.#type = type ?? null;
    this.#pattern = parts.pattern;
    const { peer, prefixes } = parts;
    const isAnyHost = host === null || host === undefined || host === "";
    const router = isAnyHost ? null : parseAddress(host);
    // Hosts are addresses: no change is from another.
    this.#filters =
      router === null && !isAnyHost ? [] : prefixes.map((prefix) => ({ prefix, more, less, router, peer }));
  }

  /** A text says what is wrong. */
  static of(given: Given): Subscription | string {
    const { prefix, path } = given;
    const texts = typeof prefix === "string" ? [prefix] : (prefix ?? []);
    const bad = texts.find((text) => parsePrefix(text) === null);
    if (bad !== undefined) {
      return `prefix: "${bad}" is not a prefix with host bits zero`;
    }
    const prefixes = texts.length === 0 ? [null] : texts.map(parsePrefix);
    const pattern = path === null || path === undefined ? null : patternOf(String(path));
    if (pattern === "bad") {
      return `path: must be ASes with commas between, as ^64500,64501 or 64501$; at most ${patternAsnsMax}`;
    }
    const peer = given.peer === null || given.peer === undefined ? null : parseAddress(given.peer);
    return new Subscription(given, { prefixes, pattern, peer });
  }

  wants(change: Change): boolean {
    if (change.kind === "gap") {
      return false;
    }
    const { event } = change.received;
    const isUpdate = event.kind === "announce" || event.kind === "withdraw";
    if (!isUpdate && event.kind !== "peer-up" && event.kind !== "peer-down") {
      return false;
    }
    // A prefix or a path is one of an UPDATE.
    const isRouteOnly = this.#pattern !== null || this.#filters.some(({ prefix }) => prefix !== null);
    return (
      (this.#type === null || (this.#type === "UPDATE") === isUpdate) &&
      (isUpdate || !isRouteOnly) &&
      (this.#pattern === null ||
        (event.kind === "announce" && isIn(this.#pattern, event.attributes.asPath))) &&
      this.#filters.some((filter) => wants(filter, change))
    );
  }
}

interface Parts {
  readonly prefixes: readonly (Prefix | null)[];
  readonly pattern: PathPattern | null;
  readonly peer: Address | null;
}

function patternOf(text: string): PathPattern | null | "bad" {
  const [, begin, list = "", end] = /^(\^?)(\d{1,10}(?:,\d{1,10})*)(\$?)$/.exec(text) ?? [];
  const asns = list.split(",").map(Number);
  if (text === "") {
    return null;
  }
  return list === "" || asns.length > patternAsnsMax
    ? "bad"
    : { asns, atBegin: begin === "^", atEnd: end === "$" };
}

function isIn({ asns, atBegin, atEnd }: PathPattern, path: AsPath): boolean {
  const last = path.length - asns.length;
  for (let at = atEnd ? Math.max(last, 0) : 0; at <= (atBegin ? Math.min(0, last) : last); at++) {
    if (asns.every((asn, i) => path[at + i] === asn)) {
      return true;
    }
  }
  return false;
}
