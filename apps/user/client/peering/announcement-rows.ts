/** AnnouncementsAnswer as rows: a request with its result at each exchange server. */
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
type Budget = AnnouncementsAnswer["budget"];
type ExchangeChanges = Budget["prefixes"][number]["exchanges"][number];

interface AnnouncementRow extends RouteAttributes {
  readonly prefix: string;
  readonly server: string;
  readonly announce: boolean;
  readonly prepend: number;
  readonly until: string | null;
  /** Null = not requested: the client stack announces it by its own configuration, or an order of its own. */
  readonly askedNs: string | null;
  /** Null = the client stack has not reported this version. */
  readonly state: State | null;
  /** The user's changes at the gateway; null = not counted: no gateway. */
  readonly budget: Pick<Budget, "left" | "per_hour_max"> | null;
  /** Changes that the exchange server takes, as last reported; null = not reported, or no limit. */
  readonly atExchange: ExchangeChanges | null;
}

export function readAnnouncements(gateway: Gateway, signal: AbortSignal): Promise<AnnouncementsAnswer> {
  return gateway.read("/api/announcements", announcementsAnswer, { signal });
}

/**
 * One for each request and server that the client stack knows; a request that it does not know yet is one, and so is
 * what it announces without one.
 */
export function announcementRows(answer: AnnouncementsAnswer): AnnouncementRow[] {
  return [...requestedRows(answer), ...otherRows(answer)];
}

function requestedRows({ announcements, report, budget }: AnnouncementsAnswer): AnnouncementRow[] {
  return announcements.flatMap(({ asked_ns: askedNs, version, ...rest }): AnnouncementRow[] => {
    const { prefix, server } = rest;
    const request = { ...rest, askedNs: askedNs === "0" ? null : askedNs, budget: counted(budget) };
    const takenBy = (name: string) => atExchange(budget, prefix, name);
    const own = announcements.filter((one) => one.prefix === prefix).map((one) => one.server);
    const isReported = report !== null && report.version >= version;
    const states = (isReported ? report.states : []).filter(
      (state) =>
        state.prefix === prefix && (server === "*" ? !own.includes(state.server) : state.server === server),
    );
    if (states.length === 0) {
      // A request for all may have no server left without its own.
      return isReported && server === "*" && own.length > 1
        ? []
        : [{ ...request, state: null, atExchange: takenBy(server) }];
    }
    return states.map((state) => ({
      ...{ ...request, server: state.server },
      ...{ state, atExchange: takenBy(state.server) },
    }));
  });
}

/** A leased prefix is announced everywhere until a request says otherwise. */
function otherRows({ announcements, report, budget }: AnnouncementsAnswer): AnnouncementRow[] {
  const isRequested = ({ prefix }: State) => announcements.some((one) => one.prefix === prefix);
  const others = (report?.states ?? []).filter((state) => state.announce && !isRequested(state));
  return others.map((state) => ({
    ...{ ...state, until: null, askedNs: null, budget: counted(budget), state },
    atExchange: atExchange(budget, state.prefix, state.server),
  }));
}

function counted(budget: Budget): Budget | null {
  return isCounted(budget) ? budget : null;
}

/** False where the client stack itself answers, without a gateway. */
export function isCounted({ per_hour_max: max }: Budget): boolean {
  return max > 0;
}

function atExchange(budget: Budget, prefix: string, name: string): ExchangeChanges | null {
  const reported = budget.prefixes.find((one) => one.prefix === prefix)?.exchanges ?? [];
  return reported.find((one) => one.server === name) ?? null;
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

const noneAnnounced = "nothing is announced; announce a prefix with: vantage announce PREFIX";

const announcementColumns: readonly Column<AnnouncementRow>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "server", head: "exchange", value: ({ server }) => server },
  {
    name: "announce",
    head: "request",
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
  { name: "changes_left", head: null, value: ({ budget }) => budget?.left ?? null },
  { name: "per_hour_max", head: null, value: ({ budget }) => budget?.per_hour_max ?? null },
  { name: "exchange_changes_left", head: null, value: ({ atExchange }) => atExchange?.changes_left ?? null },
  { name: "exchange_changes_max", head: null, value: ({ atExchange }) => atExchange?.changes_max ?? null },
];

/** `9 of 10 changes left in this hour; as last reported, ixp-1 accepts 4 of 5`. */
function changesInWords({ left, per_hour_max: max }: Budget, rows: readonly AnnouncementRow[]): string {
  const servers = new Map(
    rows.flatMap(({ atExchange: one }) => (one === null ? [] : [[one.server, one] as const])),
  );
  const reported = [...servers.values()].map((one) => `${one.server} accepts ${exchangeChangesInWords(one)}`);
  const atExchanges = reported.length === 0 ? "" : `; as last reported, ${reported.join(", ")}`;
  return `${left} of ${max} ${max === 1 ? "change" : "changes"} left in this hour${atExchanges}`;
}

/** `4 of 5, one more at …` */
export function exchangeChangesInWords(changes: ExchangeChanges): string {
  const { changes_left: left, changes_max: max, one_more_at: next, held_until: heldUntil } = changes;
  return heldUntil !== null
    ? `none, refused until ${heldUntil}`
    : `${left} of ${max}${next === null ? "" : `, one more at ${next}`}`;
}

/** What is missing when the time of `--wait` is over. */
function notConfirmed({ report, version }: AnnouncementsAnswer, rows: readonly AnnouncementRow[]): string {
  const start = "start it: vantage bootstrap run, with gateway.profile (docs/announce/bootstrap.md)";
  if (report === null) {
    return `not announced yet: no client stack follows this gateway; ${start}`;
  }
  if (report.version < version) {
    const last = `its last report is from ${timeInWords(report.received_at)} UTC`;
    return `not confirmed: your client stack has not fetched this change, ${last}; if it is not running, ${start}`;
  }
  const waiting = rows.filter((row) => daemonOf(row) === "waiting");
  const places = waiting.map(
    ({ prefix, server }) => `${prefix} at ${server === "*" ? "any exchange" : server}`,
  );
  return `not confirmed in time by your routing daemon: ${places.join(", ")}; see: vantage doctor client`;
}

interface ShownAnnouncements {
  /** Null = all. */
  readonly prefixes: readonly string[] | null;
  /** Null = as they are now. */
  readonly waitMs: number | null;
  readonly isChange: boolean;
}

/** Polling interval of `--wait` in milliseconds: a daemon loads a configuration in a second or two. */
const lookEveryMs = 500;

/**
 * Shows the rows of the prefixes, and after a change (`isChange`) what is left of the budget; with `waitMs` once the
 * daemon has confirmed them all or refused one. Resolves to whether it has confirmed them, or waiting was not
 * requested.
 */
export async function showAnnouncements(
  session: GatewaySession,
  gateway: Gateway,
  { prefixes, waitMs, isChange }: ShownAnnouncements,
): Promise<boolean> {
  const giveUpAtMs = performance.now() + (waitMs ?? 0);
  for (;;) {
    const answer = await readAnnouncements(gateway, session.signal);
    const rows = announcementRows(answer).filter(({ prefix }) => prefixes?.includes(prefix) ?? true);
    const isConfirmed = rows.every((row) => daemonOf(row) === "confirmed");
    const isRefused = rows.some((row) => daemonOf(row) === "refused");
    if (isConfirmed || isRefused || performance.now() >= giveUpAtMs) {
      session.printRows(announcementColumns, rows, noneAnnounced);
      // Other formats have it in each row.
      if (isChange && session.format === "table" && isCounted(answer.budget)) {
        session.note(changesInWords(answer.budget, rows));
      }
      if (!isConfirmed && !isRefused && waitMs !== null) {
        session.note(notConfirmed(answer, rows));
      }
      return isConfirmed || waitMs === null;
    }
    await pause(lookEveryMs, session.signal);
    session.signal.throwIfAborted();
  }
}
