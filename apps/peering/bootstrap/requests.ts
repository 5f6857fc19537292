/** The user's announcement requests at the gateway. They take precedence over orders given here. Pure. */
import * as v from "valibot";
import {
  announcementsAnswer,
  type reportBody,
  routeAttributes,
} from "../../../lib/base/api/announcements.ts";
import { addressWithin } from "../../../lib/net/ip/address-within.ts";
import { parseLeasePrefix } from "../../../lib/peering/lease/lease-prefix.ts";
import { requestsMax } from "./limits.ts";
import type { Order, Orders } from "./orders.ts";

/** It becomes a part of the daemon's configuration. */
const prefix = v.pipe(
  v.string(),
  v.check((text) => parseLeasePrefix(text) === text, "is not a /48"),
);
const requestEntry = v.object({
  ...v.pick(announcementsAnswer.entries.announcements.item, ["server", "announce", "prepend", "until"])
    .entries,
  ...routeAttributes.entries,
  prefix,
});
const request = v.pipe(
  requestEntry,
  v.check(
    ({ prefix: lease, blackhole }) => blackhole.every((text) => addressWithin(text, lease) === text),
    "discards what is not an address of its prefix",
  ),
);

export const requestsSchema = v.object({
  /** 0 = the gateway has sent none yet. */
  version: announcementsAnswer.entries.version,
  requests: v.pipe(v.array(request), v.maxLength(requestsMax)),
  /** When this version was taken; nanoseconds since the epoch. */
  takenNs: v.string(),
});

export type GatewayRequests = v.InferOutput<typeof requestsSchema>;

/** A prefix at an exchange server, as the gateway gets it. */
export type AnnouncementState = v.InferOutput<typeof reportBody>["states"][number];

export const noRequests: GatewayRequests = { version: 0, requests: [], takenNs: "0" };

/**
 * Orders with the current announcement requests in place of those that they override. A prefix that is not `own`, and
 * only requests name, is announced there and nowhere else.
 */
export function ordersWith(
  orders: Orders,
  { requests }: GatewayRequests,
  { atMs, own }: { readonly atMs: number; readonly own: readonly string[] },
): Order[] {
  const isOverruled = (order: Order) =>
    requests.some(
      ({ prefix: requested, server }) =>
        requested === order.prefix && (server === "*" || server === order.exchange),
    );
  const requested = requests.map(({ prefix: one, server, announce, prepend, until, ...rest }) => ({
    prefix: one,
    exchange: server === "*" ? null : server,
    announce: announce && (until === null || Date.parse(until) > atMs),
    prepend,
    attributes: rest,
  }));
  const isOver = ({ until = null }: Order) => until !== null && Date.parse(until) <= atMs;
  const given = orders.map((order) => (isOver(order) ? { ...order, announce: false } : order));
  const all = [...given.filter((order) => !isOverruled(order)), ...requested];
  const isForAll = (one: string) => all.some((order) => order.prefix === one && order.exchange === null);
  const onlyRequested = [...new Set(requests.map((one) => one.prefix))].filter((one) => !own.includes(one));
  return [
    ...all,
    ...onlyRequested
      .filter((one) => !isForAll(one))
      .map((one) => ({ prefix: one, exchange: null, announce: false, prepend: 0 })),
  ];
}

/** The user's prefixes: those of the environment, and requested ones. */
export function allPrefixes(own: readonly string[], { requests }: GatewayRequests): string[] {
  return [...new Set([...own, ...requests.map(({ prefix: requested }) => requested)])].sort();
}

export function isRequested({ requests }: GatewayRequests, prefix: string): boolean {
  return requests.some((one) => one.prefix === prefix);
}
