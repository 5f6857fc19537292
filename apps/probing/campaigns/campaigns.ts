/** Creates, shows and changes users' campaigns. Their events are in the journal. */
import type { Sql, TransactionSql } from "postgres";
import type { campaignAnswer, campaignDetailAnswer } from "../../../lib/base/api/campaigns.ts";
import type { StoredAnswer } from "../../../lib/base/api/stored-answer.ts";
import { constraintOf, isUniqueViolation } from "../../../lib/base/failure/outage.ts";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../lib/engines/http/problem.ts";
import { type PageOrder, readPage } from "../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../lib/engines/store/postgres/row-of.ts";
import { type CampaignEvent, editedSchedule, newCampaign } from "../../../lib/measuring/campaign/advance.ts";
import type { Schedule } from "../../../lib/measuring/campaign/schedule.ts";
import { happen, type CampaignRow as JournalRow, rowColumns, stateOf } from "./campaign-rows.ts";
import { type Definition, type ExperimentDefinition, storedDefinition } from "./definition.ts";
import { sourceOf } from "./events.ts";
import { catchUpMax } from "./limits.ts";
import { unknownCampaign } from "./own-campaign.ts";
import { checkStored } from "./stored-bytes.ts";

type CampaignRow = StoredAnswer<typeof campaignAnswer>;

interface NewCampaign<Given = Definition> {
  readonly userHash: string;
  readonly definition: Given;
  readonly schedule: Schedule;
  /** Probe lines: given, or generated from its targets. */
  readonly probes: string;
  /** A gzipped list of targets; null or absent = they are the probes. */
  readonly targets?: Uint8Array | null;
  readonly probesPerDay: number;
  readonly caps: { readonly [cap in "campaignsMax" | "probesPerDayMax" | "storedBytesMax"]: number };
}

/** A name of a user's running campaigns, and an id. What is made together with one has keys of its own. */
const ownKeys: ReadonlySet<string | null> = new Set(["campaigns_by_name", "campaigns_pkey"]);

/** Throws Problem: 409 for the name of a running campaign or a known id, 429 beyond the limits. */
export async function makeCampaign(
  database: Database,
  order: NewCampaign<Definition | ExperimentDefinition>,
  id: string = crypto.randomUUID(),
  also: (tx: TransactionSql) => Promise<void> = async () => {},
): Promise<string> {
  const { userHash, definition, schedule } = order;
  const { nextNumber, nextMs } = newCampaign(schedule);
  await namedOnce(definition, () =>
    database.timed("campaign_make", () =>
      database.sql.begin(async (tx) => {
        await checkCaps(tx, order, null);
        await tx`
          INSERT INTO campaigns (campaign_id, user_hash, name, revision, phase, next_run, next_at)
          VALUES (${id}, ${userHash}, ${definition.name}, 1, 'active', ${nextNumber},
            ${nextMs === null ? null : new Date(nextMs)})`;
        await writeRevision(tx, { id, revision: 1, ...order });
        await also(tx);
      }),
    ),
  );
  return id;
}

async function namedOnce({ name }: Pick<Definition, "name">, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isUniqueViolation(error) && ownKeys.has(constraintOf(error))) {
      const message = `Another campaign of yours has the name "${name}": stop it, edit it, or choose another name`;
      throw new Problem({ status: 409, code: "campaign_exists", message, cause: error });
    }
    throw error;
  }
}

/** Locks the user's row, so that one user's campaigns are counted serially. */
async function checkCaps(
  tx: TransactionSql,
  { userHash, probesPerDay, caps, probes: lines, targets }: Omit<NewCampaign, "definition">,
  but: string | null,
) {
  await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR UPDATE`;
  const sums = await tx<{ campaigns: number; probes: number }[]>`
    SELECT count(*)::integer AS campaigns, coalesce(sum(probes_per_day), 0)::bigint AS probes
    FROM campaigns JOIN campaign_revisions USING (campaign_id, revision)
    WHERE user_hash = ${userHash} AND phase <> 'ended' AND campaign_id IS DISTINCT FROM ${but}::uuid`;
  const { campaigns, probes } = rowOf(sums);
  if (campaigns >= caps.campaignsMax) {
    throw problem(
      429,
      "too_many_campaigns",
      `You have ${campaigns} active campaigns, of ${caps.campaignsMax}: stop one`,
    );
  }
  if (probes + probesPerDay > caps.probesPerDayMax) {
    throw new Problem({
      status: 429,
      code: "quota_exceeded",
      message:
        `Your campaigns would send ${probes + probesPerDay} probes a day, and your quota is ${caps.probesPerDayMax}: ` +
        "choose fewer agents, probes or runs",
      extra: { used: probes, requested: probesPerDay, limit: caps.probesPerDayMax },
    });
  }
  const bytes = Buffer.byteLength(lines) + (targets?.length ?? 0);
  await checkStored(tx, { userHash, bytes, bytesMax: caps.storedBytesMax });
}

type Revision = Pick<
  NewCampaign<Definition | ExperimentDefinition>,
  "userHash" | "definition" | "schedule" | "probes" | "targets" | "probesPerDay"
> & {
  readonly id: string;
  readonly revision: number;
};

async function writeRevision(
  tx: TransactionSql,
  { id, revision, userHash, definition, schedule, probes, targets = null, probesPerDay }: Revision,
) {
  const source = await sourceOf(tx, { userHash, id }, "on" in definition ? definition : {});
  const { given, deliveries: recipients, steps: works } = storedDefinition(definition);
  const deliveries = tx.json(recipients.map((target) => ({ ...target })));
  const steps = JSON.parse(JSON.stringify(works));
  const planned = tx.json({ ...schedule, timing: { ...schedule.timing } });
  await tx`
    INSERT INTO campaign_revisions (campaign_id, revision, definition, schedule, probes, targets, probes_per_day,
      steps, deliveries, source_id)
    VALUES (${id}, ${revision}, ${tx.json(given)}, ${planned}, ${probes}, ${targets}, ${probesPerDay},
      ${tx.json(steps)}, ${deliveries}, ${source})`;
}

/** For operators: a campaign of any user. */
interface AnyCampaign {
  readonly id: string;
  readonly userHash: null;
  /** Why it is stopped. */
  readonly because?: string;
}

type NamedCampaign = Owned | AnyCampaign;

/** Pause, resume, stop. Throws Problem: 404, and 409 for one that has ended. */
export function changeCampaign(
  database: Database,
  order: NamedCampaign,
  event: CampaignEvent,
  also: (tx: TransactionSql) => Promise<void> = async () => {},
): Promise<void> {
  return database.timed("campaign_change", () =>
    database.sql.begin(async (tx) => {
      await happen(tx, [{ row: await caughtUp(tx, order), event }]);
      const because = "because" in order ? order.because : undefined;
      if (because !== undefined) {
        await tx`UPDATE campaigns SET stopped_because = ${because} WHERE campaign_id = ${order.id}`;
      }
      await also(tx);
    }),
  );
}

/** Applies a new definition from the next run on. Throws Problem, as creating one does, and 404 and 409. */
export function editCampaign(database: Database, own: Owned, order: NewCampaign): Promise<void> {
  const { id } = own;
  const edit = () =>
    database.sql.begin(async (tx) => {
      await checkCaps(tx, order, id);
      const row = await caughtUp(tx, own);
      await checkEditable(tx, id);
      const isStartKept = order.definition.start === undefined;
      const given = isStartKept ? { ...order.schedule, startMs: row.schedule.startMs } : order.schedule;
      const schedule = editedSchedule(given, stateOf(row), row.now_ms);
      const revision = row.revision + 1;
      await tx`
        UPDATE campaigns SET revision = ${revision}, name = ${order.definition.name} WHERE campaign_id = ${id}`;
      await writeRevision(tx, { id, revision, ...order, schedule });
      // A revision without measurements is of no use.
      await tx`
        DELETE FROM campaign_revisions AS old WHERE campaign_id = ${id} AND revision < ${revision} AND NOT EXISTS (
          SELECT FROM campaign_runs AS run WHERE (run.campaign_id, run.revision) = (old.campaign_id, old.revision))`;
      await happen(tx, [{ row: { ...row, schedule, revision }, event: { kind: "edit" } }]);
    });
  return namedOnce(order.definition, () => database.timed("campaign_edit", edit));
}

/** Throws Problem 409. */
async function checkEditable(tx: TransactionSql, id: string): Promise<void> {
  const [experiment] = await tx`SELECT FROM experiments WHERE campaign_id = ${id}`;
  if (experiment !== undefined) {
    throw problem(409, "not_editable", "An experiment cannot be edited: stop it, and start another one");
  }
}

/** The locked campaign, after applying all events due by now. */
async function caughtUp(tx: TransactionSql, order: NamedCampaign): Promise<JournalRow> {
  for (let looks = 0; ; looks++) {
    const row = await locked(tx, order);
    const isDue = row.phase === "active" && row.next_at !== null && row.next_at.getTime() <= row.now_ms;
    if (!isDue || looks === catchUpMax) {
      return row;
    }
    await happen(tx, [{ row, event: { kind: "time" } }]);
  }
}

/**
 * Read only once it is locked: who waited for another change needs the revision and the time that are now. With those
 * of the wait's beginning, an edit would plan the run that was begun meanwhile once more.
 */
async function locked(tx: TransactionSql, { id, userHash }: NamedCampaign): Promise<JournalRow> {
  const isIt = tx`campaign_id = ${id} ${userHash === null ? tx`` : tx`AND user_hash = ${userHash}`}`;
  await tx`SELECT FROM campaigns WHERE ${isIt} FOR UPDATE`;
  const [row] = await tx<JournalRow[]>`
    SELECT ${rowColumns(tx)} FROM campaigns AS campaign
      JOIN campaign_revisions AS revised USING (campaign_id, revision) WHERE ${isIt}`;
  if (row === undefined) {
    throw unknownCampaign();
  }
  if (row.phase === "ended") {
    throw problem(409, "campaign_ended", "The campaign has ended: make a new one");
  }
  return row;
}

/** The newest first; null = of all users. */
export function listCampaigns(database: Database, userHash: string | null, page: PageOrder) {
  const { sql } = database;
  return readPage(
    database,
    "campaign_list",
    page,
    (limit, after) => sql<(CampaignRow & { readonly user_hash: string })[]>`
      SELECT ${campaignColumns(sql)}, campaign.user_hash FROM ${campaignTables(sql)}
      WHERE ${ofUser(sql, "campaign", userHash)}
      ${
        after === undefined
          ? sql``
          : sql`AND (campaign.created_at, campaign_id) < (
              SELECT created_at, campaign_id FROM campaigns AS seen
              WHERE seen.campaign_id::text = ${after} AND ${ofUser(sql, "seen", userHash)})`
      }
      ORDER BY campaign.created_at DESC, campaign_id DESC LIMIT ${limit}`,
  );
}

function ofUser(sql: Sql, table: "campaign" | "seen", userHash: string | null) {
  return userHash === null ? sql`true` : sql`${sql(table)}.user_hash = ${userHash}`;
}

/** Throws Problem 404. */
export async function readCampaign(
  { sql, timed }: Database,
  { id, userHash }: NamedCampaign,
): Promise<StoredAnswer<typeof campaignDetailAnswer>> {
  const [row] = await timed(
    "campaign_read",
    () => sql<StoredAnswer<typeof campaignDetailAnswer>[]>`
      SELECT ${campaignColumns(sql)}, definition, probes, (
          SELECT jsonb_build_object('started', count(*) FILTER (WHERE follow_up_state = 'started'),
            'refused', count(*) FILTER (WHERE follow_up_state = 'refused'))
          FROM alerts WHERE alerts.campaign_id = campaign.campaign_id) AS follow_ups, (
          SELECT jsonb_build_object('taken', count(taken_at), 'waiting', count(*) - count(taken_at),
            'cut', campaign.events_cut, 'last_cut_at', campaign.events_cut_at)
          FROM campaign_events AS event WHERE event.campaign_id = campaign.campaign_id) AS events
      FROM ${campaignTables(sql)}
      WHERE campaign_id = ${id} ${userHash === null ? sql`` : sql`AND campaign.user_hash = ${userHash}`}`,
  );
  if (row === undefined) {
    throw unknownCampaign();
  }
  return row;
}

function campaignColumns(sql: Sql) {
  return sql`
    campaign_id AS id, name, phase, revision, next_run,
    CASE WHEN revised.schedule->'timing'->>'kind' <> 'on' THEN next_at END AS next_at, current_run, runs.done,
    runs.not_done, probes_per_day,
    ended_reason, stopped_because, campaign.created_at, campaign.ended_at`;
}

function campaignTables(sql: Sql) {
  return sql`
    campaigns AS campaign JOIN campaign_revisions AS revised USING (campaign_id, revision), LATERAL (
      SELECT count(*) FILTER (WHERE state = 'done')::integer AS done,
        coalesce(sum(last_run - run + 1) FILTER (WHERE state IN ('missed', 'refused', 'passed')), 0)::integer
          AS not_done
      FROM campaign_runs AS run WHERE run.campaign_id = campaign.campaign_id
    ) AS runs`;
}
