/** AnnouncementsAnswer as rows: a wish with what came of it at each exchange server. */
import {
  type AnnouncementsAnswer,
  announcementsAnswer,
  isSameWay,
  type RouteAttributes,
} from "../../../../lib/base/api/announcements.ts";
import { attributesInWords } from "../../../../lib/base/api/attribute-words.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";

type State = NonNullable<AnnouncementsAnswer["report"]>["states"][number];

interface AnnouncementRow extends RouteAttributes {
  readonly prefix: string;
  readonly server: string;
  readonly announce: boolean;
  readonly prepend: number;
  readonly until: string | null;
  readonly askedNs: string;
  /** Null = the client stack has not reported this version. */
  readonly state: State | null;
}

export function readAnnouncements(gateway: Gateway, signal: AbortSignal): Promise<AnnouncementsAnswer> {
  return gateway.read("/api/announcements", announcementsAnswer, { signal });
}

/** One for each wish and server that the client stack knows; a wish of which it knows nothing yet is one. */
export function announcementRows({ announcements, report }: AnnouncementsAnswer): AnnouncementRow[] {
  return announcements.flatMap(({ asked_ns: askedNs, version, ...rest }): AnnouncementRow[] => {
    const { prefix, server } = rest;
    const wish = { ...rest, askedNs };
    const own = announcements.filter((one) => one.prefix === prefix).map((one) => one.server);
    const isReported = report !== null && report.version >= version;
    const states = (isReported ? report.states : []).filter(
      (state) =>
        state.prefix === prefix && (server === "*" ? !own.includes(state.server) : state.server === server),
    );
    if (states.length === 0) {
      // A wish for all may have no server left that has none of its own.
      return isReported && server === "*" && own.length > 1 ? [] : [{ ...wish, state: null }];
    }
    return states.map((state) => ({ ...wish, server: state.server, state }));
  });
}

function daemonOf(row: AnnouncementRow): "waiting" | "confirmed" | "refused" {
  const { state, announce } = row;
  const isSo =
    state !== null &&
    state.announce === announce &&
    (!announce || isSameWay(state, row)) &&
    state.daemon_ns !== null;
  return isSo ? "confirmed" : state !== null && state.daemon_reason !== null ? "refused" : "waiting";
}

const noneAnnounced = "nothing is announced from here; announce a prefix with: vantage announce PREFIX";

const announcementColumns: readonly Column<AnnouncementRow>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "server", head: "exchange", value: ({ server }) => server },
  {
    name: "announce",
    head: "wish",
    value: ({ announce }) => announce,
    cell: ({ announce }) => (announce ? "announce" : "withdraw"),
  },
  { name: "prepend", head: "prepend", align: "right", value: ({ prepend }) => prepend },
  {
    name: "attributes",
    head: "besides",
    value: (row) => attributesInWords(row),
    cell: (row) => attributesInWords(row).join(", "),
    text: (row) => attributesInWords(row).join(" "),
  },
  {
    name: "until",
    head: "until (UTC)",
    value: ({ until }) => until,
    cell: ({ until }) => timeInWords(until),
  },
  { name: "daemon", head: "daemon", value: daemonOf },
  { name: "exchange", head: "taken", value: ({ state }) => state?.exchange ?? "unknown" },
  {
    name: "heard_by",
    head: "passed on to",
    value: ({ state }) => state?.heard_by ?? [],
    text: ({ state }) => (state?.heard_by ?? []).map(({ asn }) => `AS${asn}`).join(" "),
  },
  {
    name: "reason",
    head: "reason",
    value: ({ state }) => state?.daemon_reason ?? state?.exchange_reason ?? null,
    cell: ({ state }) => state?.daemon_reason ?? state?.exchange_reason ?? "",
  },
  { name: "asked_ns", head: null, value: ({ askedNs }) => askedNs },
  { name: "daemon_ns", head: null, value: ({ state }) => state?.daemon_ns ?? null },
  { name: "exchange_ns", head: null, value: ({ state }) => state?.exchange_ns ?? null },
];

/** Milliseconds between two looks of `--wait`: a daemon loads a configuration in a second or two. */
const lookEveryMs = 500;

/**
 * Shows the rows of the prefixes, with `waitMs` once the daemon has confirmed them all or refused one. Resolves to
 * whether it has confirmed them, or nobody waited.
 */
export async function showAnnouncements(
  session: GatewaySession,
  gateway: Gateway,
  { prefixes, waitMs }: { readonly prefixes: readonly string[] | null; readonly waitMs: number | null },
): Promise<boolean> {
  const giveUpAtMs = performance.now() + (waitMs ?? 0);
  for (;;) {
    const all = announcementRows(await readAnnouncements(gateway, session.signal));
    const rows = all.filter(({ prefix }) => prefixes?.includes(prefix) ?? true);
    const isConfirmed = rows.every((row) => daemonOf(row) === "confirmed");
    const isRefused = rows.some((row) => daemonOf(row) === "refused");
    if (isConfirmed || isRefused || performance.now() >= giveUpAtMs) {
      session.printRows(announcementColumns, rows, noneAnnounced);
      return isConfirmed || waitMs === null;
    }
    await pause(lookEveryMs, session.signal);
    session.signal.throwIfAborted();
  }
}
