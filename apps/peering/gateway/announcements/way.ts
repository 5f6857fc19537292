/** How a prefix is to be announced, as it is kept: neighbours by ASN, nothing that is as by default. Pure. */
import type * as v from "valibot";
import { type announcementBody, neighborsMax, prependMax } from "../../../../lib/base/api/announcements.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { addressWithin } from "../../../../lib/net/ip/address-within.ts";
import { neverPoisoned } from "../../../../lib/peering/policy/never-poisoned.ts";

type Asked = Omit<v.InferOutput<typeof announcementBody>, "servers" | "until">;
/** Neighbours that a refusal lists. */
const neighborsShownMax = 10;

type Neighbors = readonly { readonly name: string; readonly asn: number }[];

export type StoredWay = Readonly<
  Record<string, number | boolean | readonly (number | string)[] | Record<string, number>>
>;

/** Throws Problem 422 for an unknown neighbour, a list or a path that is too long, and another's address. */
export function wayOf(asked: Asked, prefix: string, neighbors: Neighbors): StoredWay {
  const { prepend, poison, no_export, graceful_shutdown } = asked;
  if (poison.length > 0 && prepend + poison.length + 1 > prependMax) {
    throw unfit("poison", `prepends, poisoned ASNs and the own AS behind them must be ${prependMax} at most`);
  }
  const spared = poison.find(
    (asn) => neverPoisoned.includes(asn) || neighbors.some((one) => one.asn === asn),
  );
  if (spared !== undefined) {
    throw unfit(
      "poison",
      `AS${spared} is a neighbour of the platform, or a network that carries much of the Internet`,
    );
  }
  const blackhole = [...new Set(asked.blackhole.map((address) => own(address, prefix)))].sort();
  const asnsOf = (field: "not_to" | "only_to") =>
    few(field, [...new Set(asked[field].flatMap((one) => asnsNamed(one, field, neighbors)))]).sort(
      (a, b) => a - b,
    );
  const towards = few(
    "prepend_to",
    Object.entries(asked.prepend_to).flatMap(([one, times]) =>
      asnsNamed(/^\d+$/.test(one) ? Number(one) : one, "prepend_to", neighbors).map(
        (asn) => [asn, times] as const,
      ),
    ),
  );
  const lists = { poison, blackhole, not_to: asnsOf("not_to"), only_to: asnsOf("only_to") };
  return {
    prepend,
    ...Object.fromEntries(Object.entries(lists).filter(([, named]) => named.length > 0)),
    ...(towards.length === 0 ? {} : { prepend_to: Object.fromEntries(towards) }),
    ...(no_export ? { no_export } : {}),
    ...(graceful_shutdown ? { graceful_shutdown } : {}),
  };
}

function own(address: string, prefix: string): string {
  const found = addressWithin(address, prefix);
  if (found === null) {
    throw unfit("blackhole", `${address} is not an address of ${prefix}`);
  }
  return found;
}

/** A name that stands for several makes a list longer than it was written. */
function few<Item>(field: string, items: Item[]): Item[] {
  if (items.length > neighborsMax) {
    throw unfit(field, `it stands for ${items.length} neighbours, and may for ${neighborsMax}: name ASNs`);
  }
  return items;
}

/** A name may be that of several, at different exchange servers. */
function asnsNamed(given: number | string, field: string, neighbors: Neighbors): number[] {
  const found = neighbors.filter(({ name, asn }) => given === name || given === asn);
  if (found.length === 0) {
    const shown = neighbors.slice(0, neighborsShownMax).map(({ name, asn }) => `${name} (AS${asn})`);
    const more = neighbors.length > shown.length ? ", … (GET /api/announcements lists all)" : "";
    const known =
      shown.length === 0 ? "its operator has listed none here" : `known are ${shown.join(", ")}${more}`;
    throw unfit(field, `exchange servers have no neighbour ${given}: ${known}`, "unknown_neighbor");
  }
  return [...new Set(found.map(({ asn }) => asn))];
}

function unfit(
  path: string,
  reason: string,
  code: "invalid_body" | "unknown_neighbor" = "invalid_body",
): Problem {
  return new Problem({ status: 422, code, message: `Cannot use the body: ${path}: ${reason}` });
}
