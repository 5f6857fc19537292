/** A user's announcement requests, their results, and what may be changed when. */
import * as v from "valibot";
import {
  type announcementsAnswer,
  type reportBody,
  routeWay,
} from "../../../../lib/base/api/announcements.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import { announcementWaitersMax, announcementWaitersOfUserMax } from "../limits.ts";
import type { ChangeFeed } from "../service/change-feed.ts";
import type { Services } from "../services.ts";
import { exchangeChanges, mergeReports } from "./merge-reports.ts";

export interface AnnouncementReadServices extends Pick<Services, "config" | "database"> {
  readonly feed: Pick<ChangeFeed, "after" | "look">;
}

type StoredAnnouncements = StoredAnswer<typeof announcementsAnswer>;

interface Row {
  readonly version: number;
  readonly used: number;
  readonly announcements: readonly {
    readonly prefix: string;
    readonly server: string;
    readonly is_announced: boolean;
    readonly wish: unknown;
    readonly until: string | null;
    readonly version: number;
    readonly asked_ns: string;
  }[];
  readonly prefixes: readonly { readonly prefix: string; readonly next_change_at: string | null }[];
  readonly reports: readonly (v.InferOutput<typeof reportBody> & { readonly received_at: string })[];
  readonly now: Date;
}

/** Without requests of prefixes that have no live lease. */
export async function readAnnouncements(
  { config, database }: AnnouncementReadServices,
  userHash: string,
): Promise<StoredAnnouncements> {
  const { sql, timed } = database;
  const { prefixMinutes, perHourMax } = config.announcements;
  const [row] = await timed(
    "announcements",
    () => sql<Row[]>`
      WITH clock AS MATERIALIZED (SELECT vantage_now() AS now), live AS (
        SELECT prefix FROM leases, clock WHERE user_hash = ${userHash} AND closed_at IS NULL AND end_time > now)
      SELECT coalesce((SELECT version FROM announcement_versions WHERE user_hash = ${userHash}), 0) AS version,
        (SELECT count(*)::integer FROM announcement_changes
          WHERE user_hash = ${userHash} AND at > now - interval '1 hour') AS used,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('prefix', prefix, 'server', server, 'is_announced',
          is_announced, 'wish', wish, 'until', until, 'version', version, 'asked_ns', asked_ns::text)
          ORDER BY prefix, server), '[]')
          FROM announcements JOIN live USING (prefix) WHERE user_hash = ${userHash}) AS announcements,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('prefix', prefix, 'next_change_at', next_announcement_at(
          ${userHash}, prefix, now, make_interval(mins => ${prefixMinutes}), ${perHourMax})) ORDER BY prefix), '[]')
          FROM live) AS prefixes,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('machine', machine, 'version', version, 'taken_ns',
          taken_ns::text, 'received_at', received_at, 'states', states) ORDER BY machine), '[]')
          FROM announcement_reports WHERE user_hash = ${userHash}) AS reports, now
      FROM clock`,
  );
  if (row === undefined) {
    throw new Error("Cannot read the database's answer: it has no row");
  }
  return answerOf(row, config.announcements);
}

function answerOf(
  { version, used, announcements, prefixes, reports, now }: Row,
  { perHourMax, prefixMinutes, neighbors }: AnnouncementReadServices["config"]["announcements"],
): StoredAnnouncements {
  return {
    version,
    announcements: announcements.map(({ is_announced: announce, wish: how, until, ...rest }) => ({
      ...rest,
      announce,
      ...v.parse(routeWay, how),
      until: until === null ? null : new Date(until).toISOString(),
    })),
    report: mergeReports(reports, version, now.getTime()),
    neighbors: [...neighbors],
    budget: {
      per_hour_max: perHourMax,
      prefix_minutes: prefixMinutes,
      left: Math.max(0, perHourMax - used),
      prefixes: prefixes.map(({ prefix, next_change_at: next }) => ({
        prefix,
        next_change_at: next === null ? null : new Date(next),
        exchanges: exchangeChanges(reports, prefix, now.getTime()),
      })),
    },
  };
}

interface Wait {
  readonly since: number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** One for the process: so is the memory that they hold. */
const waiters = new FairSlots({
  ...{ placesMax: announcementWaitersMax, ofOneMax: announcementWaitersOfUserMax },
  ...{ lineMax: 0, waitMs: 0, safeMs: Number.POSITIVE_INFINITY },
});

/** As soon as the version is not `since`, or after the wait; at once where too many wait, of the user or of all. */
export async function awaitAnnouncements(
  services: AnnouncementReadServices,
  userHash: string,
  wait: Wait,
): Promise<StoredAnnouncements> {
  const { since, waitMs } = wait;
  using place = waiters.takeNow(userHash);
  // Withdrawn for a user who has fewer, it is released in that moment: the answer follows.
  place?.signal.addEventListener("abort", () => place[Symbol.dispose]());
  const signal = place === null ? wait.signal : AbortSignal.any([wait.signal, place.signal]);
  const giveUpAtMs = performance.now() + (place === null ? 0 : waitMs);
  let { next } = await services.feed.after(null, 0, signal);
  let answer = await readAnnouncements(services, userHash);
  while (answer.version === since && performance.now() < giveUpAtMs && !signal.aborted) {
    const found = await services.feed.after(next, giveUpAtMs - performance.now(), signal);
    const isOurs = found.changes.some(({ user_hash: whose }) => whose === userHash);
    if (isOurs) {
      answer = await readAnnouncements(services, userHash);
    }
    if (found.changes.length === 0) {
      // The time is over, or the feed is being closed.
      break;
    }
    next = found.next;
  }
  return answer;
}
