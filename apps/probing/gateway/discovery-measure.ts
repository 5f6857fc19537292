/** The gateway's side of discoveries: its submissions, its column store, and a place for notes. */
import {
  type AskedMeasurement,
  type AskedRow,
  askedProbes,
  probesStored,
} from "../../../lib/engines/store/clickhouse/asked-probes.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { specOf } from "../campaigns/discovery/discover-fields.ts";
import { storeLagSecMax } from "../campaigns/discovery/limits.ts";
import type { RoundMeasure } from "../campaigns/discovery/round-measure.ts";
import { lengthsOf, unitsOf } from "../campaigns/discovery/rounds.ts";
import { unpackedTargets } from "../campaigns/discovery/stored-targets.ts";
import { UnitTables } from "../campaigns/discovery/unit-tables.ts";
import { UnitTable } from "../campaigns/discovery/units.ts";
import type { Step } from "../campaigns/journal.ts";
import { discoveryShares } from "./discovery-shares.ts";
import type { Safety } from "./safety/safety.ts";
import type { StoreLink } from "./store-link.ts";
import { submitInside } from "./submit/submit-inside.ts";
import type { SubmitServices } from "./submit/submit-services.ts";

interface RoundServices extends SubmitServices {
  readonly safety: SubmitServices["safety"] & Pick<Safety, "destinations">;
  readonly store: Pick<StoreLink, "ask">;
}

export function roundMeasure(services: RoundServices): RoundMeasure {
  const { database, store } = services;
  const tables = new UnitTables();
  return {
    units: (step) => {
      const { subnet_ipv4: ipv4, subnet_ipv6: ipv6 } = specOf(step.given);
      const key = [step.campaign_id, step.revision, ipv4, ipv6].join(" ");
      return tables.of(key, () => unitsOfStep(database, step));
    },
    allowed: async () => (await services.safety.destinations()).ranges(),
    areAllIn: (ids, settleSec) => areAllIn(services, ids, settleSec),
    asked: async function* (ids, order): AsyncGenerator<AskedRow, void, undefined> {
      const measurements = await measurementsOf(database, ids, order.agent);
      // A small query first: it reconnects to a store whose port has changed.
      const opened = await store.ask(async (open: ColumnStore) => {
        await probesStored(open, []);
        return open;
      });
      yield* askedProbes(opened, { ...order, measurements });
    },
    submitLines: async ({ lines, recordProbes, ...order }) => {
      const pace = recordProbes === null ? null : { everyMs: 1000, lines: recordProbes };
      return (await submitInside(services, { ...order, pace, probes: streamOf(lines) })).id;
    },
    ...discoveryShares(database),
    note: async ({ campaign_id, run }, { round, probes, units, links, nodes }) => {
      const { sql, timed } = database;
      await timed(
        "discovery_note",
        () => sql`
          INSERT INTO discovery_rounds (campaign_id, run, round, probes, units, links, nodes)
          VALUES (${campaign_id}, ${run}, ${round}, ${probes}, ${units}, ${links}, ${nodes})
          ON CONFLICT (campaign_id, run, round) DO UPDATE SET probes = excluded.probes, units = excluded.units,
            links = excluded.links, nodes = excluded.nodes, computed_at = now()`,
      );
    },
  };
}

async function unitsOfStep({ sql, timed }: Database, step: Step): Promise<UnitTable> {
  if (step.probes !== "") {
    return await unitsOf(step.probes, specOf(step.given));
  }
  const [row] = await timed(
    "discovery_targets",
    () => sql<{ targets: Uint8Array | null }[]>`
      SELECT targets FROM campaign_revisions
      WHERE campaign_id = ${step.campaign_id} AND revision = ${step.revision}`,
  );
  if (row === undefined || row.targets === null) {
    throw new RangeError("The discovery has no targets");
  }
  return await UnitTable.of(await unpackedTargets(row.targets), lengthsOf(specOf(step.given)));
}

function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await source.next();
      if (done === true) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: async () => {
      await source.return?.();
    },
  });
}

/** In the order of their steps; for a stopped one, how many of its probes the agent sent, or still held. */
function measurementsOf({ sql, timed }: Database, ids: readonly string[], agent: string) {
  return timed(
    "discovery_measurements",
    () => sql<AskedMeasurement[]>`
      SELECT measurement_id::text AS id, coalesce((step.given->>'round')::integer, 0) AS round,
        CASE WHEN status IN ('cancelled', 'failed', 'expired')
          THEN (sent_probes + failed_probes + held_probes)::float8 END AS sent
      FROM campaign_steps AS step JOIN measurement_agents AS part USING (measurement_id)
      WHERE measurement_id = ANY(${[...ids]}::uuid[]) AND agent_id = ${agent} ORDER BY step.step`,
  );
}

/** Throws RangeError when the store still lacks probes long after the end: then nothing is ingesting them. */
async function areAllIn(
  { database, store }: RoundServices,
  ids: readonly string[],
  settleSec: number,
): Promise<boolean> {
  const { sql, timed } = database;
  const [row] = await timed(
    "discovery_answers",
    () => sql<{ are_over: boolean; ended_sec: number; sent: number }[]>`
      SELECT bool_and(coalesce(ended_at < now() - ${settleSec} * interval '1 s', false)
          AND (status = 'complete' OR settled_at IS NOT NULL OR not_after < now())) AS are_over,
        coalesce(extract(epoch FROM now() - max(ended_at)), 0)::float8 AS ended_sec,
        sum(sent_probes)::float8 AS sent
      FROM measurements JOIN measurement_agents USING (measurement_id)
      WHERE measurement_id = ANY(${[...ids]}::uuid[])`,
  );
  if (row === undefined || !row.are_over) {
    return ids.length === 0;
  }
  const stored = await store.ask((open) => probesStored(open, ids));
  if (stored < row.sent && row.ended_sec > storeLagSecMax) {
    throw new RangeError(
      `The column store has ${stored} of ${row.sent} probes that were sent, ${storeLagSecMax} s after the last one: ` +
        "does anything write submitted probes into it?",
    );
  }
  return stored >= row.sent;
}
