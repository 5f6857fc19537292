/**
 * Counts the changes of each prefix, and holds back one that changes too often, before routers elsewhere damp it
 * (RFC 2439): each change takes a token, tokens come back one at a time, and a prefix without any is refused until two
 * have come, one for the way back. Pure.
 *
 * A change is a route that has come, or come anew: new attributes, another session, back after a withdrawal. What a
 * prefix had when it was allowed costs nothing; nor does the first route of each after a start of the generator or of
 * the daemon, as both end sessions of users who have changed nothing.
 */
import * as v from "valibot";
import type { ChangeBudget } from "../../../lib/base/api/change-budget.ts";

export interface UsersRoute {
  readonly userHash: string;
  readonly prefix: string;
  readonly session: string;
  /** Since when it has been as it is, on the daemon's clock. */
  readonly since: string;
}

interface Look {
  readonly allowed: readonly Pick<UsersRoute, "userHash" | "prefix">[];
  readonly nowMs: number;
  /** As the daemon writes it; another one = it has started again. */
  readonly daemonStartedAt: string;
}

export interface PrefixRules {
  /** In a row, when there was none for a long time. */
  readonly burst: number;
  /** Until one more is allowed; 0 = no limit. */
  readonly refillMs: number;
}

/** By user: prefixes that are refused, and until when. */
export type HeldPrefixes = ReadonlyMap<string, ReadonlyMap<string, number>>;

const buckets = v.object({
  version: v.literal(1),
  prefixes: v.array(
    v.object({
      userHash: v.string(),
      prefix: v.string(),
      tokens: v.number(),
      atMs: v.number(),
      heldUntilMs: v.number(),
    }),
  ),
});

type Kept = v.InferOutput<typeof buckets>["prefixes"][number];

const tokensOnReturn = 2;

export class PrefixBudget {
  readonly #rules: PrefixRules;
  readonly #buckets = new Map<string, Kept>();
  /** By session and prefix: since when. Null before the first sample. */
  #known: ReadonlyMap<string, string> | null = null;
  #allowed: ReadonlySet<string> = new Set();
  /** Prefixes whose next route costs nothing. */
  readonly #excused = new Set<string>();
  #daemonStartedAt = "";

  constructor(rules: PrefixRules) {
    this.#rules = rules;
  }

  /**
   * Takes all routes of users to prefixes that they may announce; `allowed` lists these prefixes, announced or not.
   * Returns those that are held back from now on.
   */
  observe(routes: readonly UsersRoute[], { allowed, nowMs, daemonStartedAt }: Look): UsersRoute[] {
    const [known, allowedBefore] = [this.#known, this.#allowed];
    this.#known = new Map(routes.map((route) => [`${route.session} ${route.prefix}`, route.since]));
    this.#allowed = new Set(allowed.map(keyOf));
    if (known === null || daemonStartedAt !== this.#daemonStartedAt) {
      this.#daemonStartedAt = daemonStartedAt;
      this.#excuse(routes);
      return [];
    }
    return routes.filter((route) => {
      const isNew = known.get(`${route.session} ${route.prefix}`) !== route.since;
      const isCounted = isNew && allowedBefore.has(keyOf(route)) && !this.#excused.delete(keyOf(route));
      return isCounted && this.#take(route, nowMs);
    });
  }

  /** All that have no route yet. */
  #excuse(routes: readonly UsersRoute[]): void {
    for (const key of this.#allowed) {
      this.#excused.add(key);
    }
    for (const route of routes) {
      this.#excused.delete(keyOf(route));
    }
  }

  held(nowMs: number): HeldPrefixes {
    const held = new Map<string, Map<string, number>>();
    for (const { userHash, prefix, heldUntilMs } of this.#buckets.values()) {
      if (heldUntilMs > nowMs) {
        held.set(userHash, (held.get(userHash) ?? new Map()).set(prefix, heldUntilMs));
      }
    }
    return held;
  }

  /** How often the prefix may change from now on; null = as often as it likes. */
  changes(userHash: string, prefix: string, nowMs: number): ChangeBudget | null {
    const { burst, refillMs } = this.#rules;
    const bucket = this.#buckets.get(keyOf({ userHash, prefix }));
    const { tokens, atMs, heldUntilMs } = bucket ?? { tokens: burst, atMs: nowMs, heldUntilMs: 0 };
    const fullAtMs = atMs + (burst - tokens) * refillMs;
    return refillMs === 0
      ? null
      : {
          max: burst,
          every_seconds: refillMs / 1000,
          spent_until: timeAfter(fullAtMs, nowMs),
          held_until: timeAfter(heldUntilMs, nowMs),
        };
  }

  /** JSON: what a restart must not forget. */
  text(nowMs: number): string {
    this.#forget(nowMs);
    return JSON.stringify({ version: 1, prefixes: [...this.#buckets.values()] });
  }

  /** Takes up what `text` gave; anything else is nothing. */
  restore(text: string): void {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), buckets), text);
    for (const bucket of read.success ? read.output.prefixes : []) {
      this.#buckets.set(keyOf(bucket), bucket);
    }
  }

  /** Whether that was one too many. */
  #take({ userHash, prefix }: UsersRoute, nowMs: number): boolean {
    const { burst, refillMs } = this.#rules;
    if (refillMs === 0) {
      return false;
    }
    const key = keyOf({ userHash, prefix });
    const before = this.#buckets.get(key) ?? { userHash, prefix, tokens: burst, atMs: nowMs, heldUntilMs: 0 };
    const tokens = this.#filled(before, nowMs) - 1;
    const isOver = tokens < 0 && before.heldUntilMs <= nowMs;
    const heldUntilMs = isOver ? nowMs + refillMs * tokensOnReturn : before.heldUntilMs;
    this.#buckets.set(key, { userHash, prefix, tokens: Math.max(0, tokens), atMs: nowMs, heldUntilMs });
    return isOver;
  }

  #filled({ tokens, atMs }: Kept, nowMs: number): number {
    const { burst, refillMs } = this.#rules;
    return Math.min(burst, tokens + Math.max(0, nowMs - atMs) / refillMs);
  }

  /** A full bucket is as good as none. */
  #forget(nowMs: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.heldUntilMs <= nowMs && this.#filled(bucket, nowMs) >= this.#rules.burst) {
        this.#buckets.delete(key);
      }
    }
  }
}

/** RFC 3339; null for what is not to come. */
function timeAfter(atMs: number, nowMs: number): string | null {
  return atMs > nowMs ? new Date(atMs).toISOString() : null;
}

function keyOf({ userHash, prefix }: Pick<UsersRoute, "userHash" | "prefix">): string {
  return `${userHash} ${prefix}`;
}
