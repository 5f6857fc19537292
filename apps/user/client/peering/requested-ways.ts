/** How a prefix is to be announced, as `vantage announce` takes it: everywhere, and otherwise at single servers. */
import type * as v from "valibot";
import type { announcementsBody } from "../../../../lib/base/api/announcements.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { kindOf, unfit } from "../../../../lib/command/command/kinds.ts";
import { parseGiven } from "../../../../lib/command/command/parse.ts";
import type { Given } from "../../../../lib/command/command/table.ts";
import { serverKind, wayOptions } from "./announcement-options.ts";

type AnnouncementRequest = v.InferInput<typeof announcementsBody>["announcements"][number];
type Way = Omit<AnnouncementRequest, "prefix" | "servers" | "until">;

interface AtServer {
  readonly server: string;
  /** Only what is said for this server. */
  readonly own: Way;
}

const ownOptions = {
  ...wayOptions,
  withdraw: { flag: true, default: false, notWith: Object.keys(wayOptions), meaning: "not at all there" },
} as const;

const everywhere = "all";

/** `west`, `west,prepend=2,not-to=transit`, `west,withdraw`: behind the name are options without their dashes. */
export const atWayOption = {
  kind: kindOf("SERVER[,WAY…]", "any", (given): AtServer => {
    const [name = "", ...words] = given.split(",");
    const server = name === everywhere ? "*" : serverKind.read(name);
    const strange = words.find((word) => !/^[a-z]/.test(word));
    if (strange !== undefined) {
      unfit(`has "${strange}" where an option is expected, as prepend=2`);
    }
    const { withdraw, ...asked } = parseGiven(
      words.map((word) => `--${word}`),
      ownOptions,
      {},
    );
    return { server, own: withdraw ? { announce: false } : wayBody(asked) };
  }),
  multiple: true,
  meaning:
    "at this exchange server, by its name in the VPN; without, at all of them (`all`). Behind it, what is " +
    "otherwise there than elsewhere: withdraw, or options without dashes (prepend to graceful-shutdown)",
} as const;

/** Only what is requested: members of a request in the gateway's API. */
function wayBody(given: Given<typeof wayOptions>): Way {
  const { prepend, poison, blackhole } = given;
  const lists = { not_to: given["not-to"], only_to: given["only-to"], poison, blackhole };
  const towards = Object.fromEntries(given["prepend-to"]);
  return {
    ...(prepend === null ? {} : { prepend }),
    ...Object.fromEntries(Object.entries(lists).filter(([, named]) => named.length > 0)),
    ...(given["prepend-to"].length === 0 ? {} : { prepend_to: towards }),
    ...(given["no-export"] ? { no_export: true } : {}),
    ...(given["graceful-shutdown"] ? { graceful_shutdown: true } : {}),
  };
}

interface Asked extends Given<typeof wayOptions> {
  readonly at: readonly AtServer[];
}

/** What one request is to set: what is said for one server takes precedence there. Throws CommandError `usage`. */
export function requestsOf(given: Asked, prefix: string, until: string | null): AnnouncementRequest[] {
  const common = wayBody(given);
  const { at } = given;
  const twice = at.find(({ server }, i) => at.findIndex((one) => one.server === server) < i);
  if (twice !== undefined) {
    throw wrongUsage(`--at names ${twice.server === "*" ? everywhere : twice.server} twice`);
  }
  const places = at.length === 0 ? [{ server: "*", own: {} }] : at;
  return places.map(({ server, own }) =>
    own.announce === false
      ? { prefix, servers: [server], announce: false }
      : { prefix, servers: [server], ...common, ...own, until },
  );
}
