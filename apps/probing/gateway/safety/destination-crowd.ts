/**
 * The number of agents that now measure at each destination: an address's and a network's limit, over all users, is
 * divided by it. As each of n agents at a destination has n, they keep to the limit together.
 *
 * An agent counts in the buckets of the measurements in which it has a part, from their acceptance until it has sent
 * all, or certainly sends no more. Agents fetch the counts each second; they are at most 1 s old. A measurement carries
 * its own number until its agents have the counts (MeasurementShare).
 *
 * Memory: 8 KB for each agent that measures, and up to as much for each measurement. Work: agents whose measurements
 * have changed since the last sample, 10 us for each and as much for each of their measurements.
 */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import type { CrowdAnswer } from "../../../../lib/measuring/probing/agent-report.ts";
import { addBuckets, bucketSetBytes, bucketsOf } from "../../../../lib/measuring/probing/bucket-set.ts";
import { destinationBuckets } from "../../../../lib/measuring/probing/destination-bucket.ts";
import { crowdAgeMsMax } from "../limits.ts";

interface MeasuringRow {
  readonly at_ms: number;
  /** Null = no agent measures. */
  readonly agent_id: string | null;
  /** Ids of its measurements, separated by blanks; in any order, but mostly in the previous sample's. */
  readonly ids: string;
}

interface AgentBuckets {
  /** From the sample: while it is unchanged, so are its buckets. */
  readonly ids: string;
  readonly bits: Uint8Array;
}

const nothing = new Uint8Array(bucketSetBytes);

export class DestinationCrowd {
  readonly #database: Database;
  readonly #nowMs: () => number;
  /** By running measurement. */
  #destinations = new Map<string, Uint8Array | null>();
  readonly #agents = new Map<string, AgentBuckets>();
  readonly #counts = new Uint16Array(destinationBuckets);
  #answer: CrowdAnswer = { version: "", at_ms: 0, agents: "" };
  #goodUntilMs = Number.NEGATIVE_INFINITY;
  #sampling: Promise<CrowdAnswer> | null = null;

  /** `nowMs` is any clock that only goes forward. */
  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /** For agents; a second old at most. Concurrent calls share one sample. */
  async read(): Promise<CrowdAnswer> {
    if (this.#nowMs() < this.#goodUntilMs) {
      return this.#answer;
    }
    this.#sampling ??= this.#sample().finally(() => {
      this.#sampling = null;
    });
    return this.#sampling;
  }

  /** The largest number of agents in one of these buckets. */
  async mostIn(encoded: Uint8Array): Promise<number> {
    await this.read();
    let most = 0;
    for (const bucket of bucketsOf(encoded)) {
      most = Math.max(most, this.#counts[bucket] ?? 0);
    }
    return most;
  }

  async #sample(): Promise<CrowdAnswer> {
    const askedAtMs = this.#nowMs();
    const rows = await this.#measuring();
    const { at_ms } = rowOf(rows);
    const idsByAgent = new Map(
      rows.flatMap(({ agent_id, ids }) => (agent_id === null ? [] : [[agent_id, ids]])),
    );
    const changed = [...new Set([...this.#agents.keys(), ...idsByAgent.keys()])].filter(
      (agent) => this.#agents.get(agent)?.ids !== idsByAgent.get(agent),
    );
    if (changed.length > 0) {
      await this.#learn([...new Set([...idsByAgent.values()].flatMap((ids) => ids.split(" ")))]);
    }
    const loopYield = new LoopYield();
    let hasChanged = false;
    for (const agent of changed) {
      hasChanged = this.#recount(agent, idsByAgent.get(agent) ?? null) || hasChanged;
      await loopYield.next();
    }
    const isNew = hasChanged || this.#answer.version === "";
    this.#answer = isNew ? { ...packed(this.#counts), at_ms } : { ...this.#answer, at_ms };
    this.#goodUntilMs = askedAtMs + crowdAgeMsMax;
    return this.#answer;
  }

  /** Everything accepted before the time is among the rows. */
  async #measuring(): Promise<readonly MeasuringRow[]> {
    const { sql, timed } = this.#database;
    return await timed(
      "destination_crowd",
      () => sql<MeasuringRow[]>`
        SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS at_ms, agent_id, coalesce(ids, '') AS ids
        FROM (SELECT) AS once LEFT JOIN (
          SELECT agent_id, string_agg(measurement_id::text, ' ') AS ids
          FROM measurements JOIN measurement_agents USING (measurement_id)
          WHERE (ended_at IS NULL OR settle_at IS NOT NULL) AND not_after > now() AND share IS NOT NULL
            AND (status IN ('queued', 'running')
              OR status IN ('cancelled', 'failed') AND settled_at IS NULL)
          GROUP BY agent_id
        ) AS measuring ON true`,
    );
  }

  async #learn(ids: readonly string[]): Promise<void> {
    const known = this.#destinations;
    const unknown = ids.filter((id) => !known.has(id));
    const { sql, timed } = this.#database;
    const rows =
      unknown.length === 0
        ? []
        : await timed(
            "destination_crowd_learn",
            () => sql<{ measurement_id: string; destinations: Uint8Array | null }[]>`
              SELECT measurement_id, destinations FROM measurements
              WHERE measurement_id = ANY(${unknown}::uuid[])`,
          );
    const learnt = new Map(rows.map(({ measurement_id, destinations }) => [measurement_id, destinations]));
    this.#destinations = new Map(ids.map((id) => [id, (known.has(id) ? known : learnt).get(id) ?? null]));
  }

  /** True when a count has changed. `ids` null = it no longer measures. */
  #recount(agent: string, ids: string | null): boolean {
    const before = this.#agents.get(agent)?.bits ?? nothing;
    const bits = new Uint8Array(bucketSetBytes);
    for (const id of ids?.split(" ") ?? []) {
      addBuckets(bits, this.#destinations.get(id) ?? null);
    }
    let hasChanged = false;
    for (let at = 0; at < bucketSetBytes; at++) {
      const was = before[at] ?? 0;
      const is = bits[at] ?? 0;
      for (let bit = 0, changed = was ^ is; changed !== 0; bit++, changed >>>= 1) {
        if (changed & 1) {
          const bucket = 8 * at + bit;
          this.#counts[bucket] = (this.#counts[bucket] ?? 0) + ((is >>> bit) & 1 ? 1 : -1);
          hasChanged = true;
        }
      }
    }
    if (ids === null) {
      this.#agents.delete(agent);
    } else {
      this.#agents.set(agent, { ids, bits });
    }
    return hasChanged;
  }
}

function packed(counts: Uint16Array): Pick<CrowdAnswer, "version" | "agents"> {
  const bytes = new Uint8Array(counts.buffer);
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { version, agents: deflateRawSync(bytes).toString("base64") };
}
