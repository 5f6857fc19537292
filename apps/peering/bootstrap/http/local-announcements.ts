/**
 * The announcement API of a client stack without a gateway, with a gateway's requests and answers
 * (docs/announce/announcements.md): each request becomes an order, kept on this machine. No changes are counted here.
 */
import * as v from "valibot";
import {
  type AnnouncementsAnswer,
  announcementsBody,
  plainAttributes,
  type RouteAttributes,
} from "../../../../lib/base/api/announcements.ts";
import { parsedJson } from "../../../../lib/base/api/parsed-json.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Client } from "../client.ts";
import type { Order } from "../orders.ts";
import { allPrefixes, isRequested } from "../requests.ts";

type Requested = v.InferOutput<typeof announcementsBody>["announcements"][number];

/** Orders, and for a prefix without any what is then so: it is announced everywhere. */
export async function localAnnouncements({ parts, snapshot }: Client): Promise<AnnouncementsAnswer> {
  const { orders } = await parts.state.read();
  const prefixes = allPrefixes(snapshot.user.prefixes, snapshot.requests);
  const plain = (prefix: string): Order => ({ prefix, exchange: null, announce: true, prepend: 0 });
  const shown = prefixes.flatMap((prefix) => {
    const own = orders.filter((order) => order.prefix === prefix);
    return own.some(({ exchange }) => exchange === null) ? own : [plain(prefix), ...own];
  });
  const received_at = new Date(snapshot.atMs).toISOString();
  return {
    version: 0,
    announcements: shown.map(({ prefix, exchange, announce, prepend, attributes, until }) => ({
      ...{ prefix, server: exchange ?? "*", announce, prepend, until: until ?? null },
      ...(attributes ?? plainAttributes),
      ...{ version: 0, asked_ns: "0" },
    })),
    report: { version: 0, taken_ns: "0", received_at, states: [...snapshot.states] },
    neighbors: [],
    budget: { per_hour_max: 0, prefix_minutes: 0, left: 0, prefixes: [] },
  };
}

/** The body of `PUT /api/announcements` as orders. Throws Problem. */
export function ordersIn(text: string, client: Client): Order[] {
  const read = v.safeParse(announcementsBody, parsedJson(text));
  if (!read.success) {
    const [issue] = read.issues;
    throw problem(
      422,
      "invalid_body",
      `Cannot read the request: ${v.getDotPath(issue) ?? ""} ${issue.message}`,
    );
  }
  return read.output.announcements.flatMap((requested) => {
    const attributes = attributesOf(requested);
    const { prefix, announce, prepend, until } = requested;
    return requested.servers.map((server) =>
      checked(
        { ...{ prefix, exchange: server === "*" ? null : server, announce, prepend }, attributes, until },
        client,
      ),
    );
  });
}

/** Withdrawals of a prefix, or of all (null). Throws Problem. */
export function withdrawals(prefix: string | null, server: string, client: Client): Order[] {
  const { user, requests } = client.snapshot;
  const prefixes = prefix === null ? allPrefixes(user.prefixes, requests) : [prefix];
  const exchange = server === "*" ? null : server;
  return prefixes.map((one) => checked({ prefix: one, exchange, announce: false, prepend: 0 }, client));
}

/** Numbers only: a gateway knows neighbours' names, and who has the rights to poison and to discard. */
function attributesOf({
  poison,
  blackhole,
  not_to,
  only_to,
  prepend_to,
  ...flags
}: Requested): RouteAttributes {
  if (poison.length + blackhole.length > 0) {
    throw problem(
      403,
      "needs_gateway",
      "Poisoning and discarding need a right, and a gateway that grants it",
    );
  }
  const named = [...not_to, ...only_to, ...Object.keys(prepend_to)].find((one) => !/^\d+$/.test(`${one}`));
  if (named !== undefined) {
    throw problem(
      422,
      "unknown_neighbor",
      `Cannot resolve the neighbour "${named}" without a gateway: give its ASN`,
    );
  }
  const { no_export, graceful_shutdown } = flags;
  return {
    ...{ poison, blackhole, no_export, graceful_shutdown },
    ...{ not_to: not_to.map(Number), only_to: only_to.map(Number), prepend_to },
  };
}

function checked(order: Order, { snapshot, parts }: Client): Order {
  const { prefix, exchange } = order;
  const { prefixes } = snapshot.user;
  if (!prefixes.includes(prefix)) {
    const place = parts.config.user.prefixes === null ? "your leases" : "USER_PREFIXES";
    const known = prefixes.length === 0 ? "it has none" : `it has ${prefixes.join(", ")}`;
    throw problem(404, "unknown_prefix", `${prefix} is not in ${place}: ${known}`);
  }
  if (isRequested(snapshot.requests, prefix)) {
    throw requestedAtGateway(prefix);
  }
  const names = snapshot.exchanges.map(({ name }) => name);
  if (exchange !== null && !names.includes(exchange)) {
    const known = names.length === 0 ? "none is known yet" : `known are ${names.join(", ")}`;
    throw problem(404, "unknown_exchange", `There is no exchange "${exchange}": ${known}`);
  }
  return order;
}

function requestedAtGateway(prefix: string): Problem {
  const advice = "log in there (vantage login --gateway=URL), and give the command again";
  return problem(
    409,
    "requested_at_gateway",
    `${prefix} follows your announcement request at the gateway; ${advice}`,
  );
}
