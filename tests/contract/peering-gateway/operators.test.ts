/**
 * What operators forbid while a request is being handled: when they have their answer, nothing is stored any more that
 * they have forbidden.
 */
import { expect, test } from "bun:test";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { until } from "../../run/until.ts";
import { onBothEngines } from "./on-both-engines.ts";
import { hashOf, inPath, type PeeringHome } from "./peering-home.ts";

interface Case {
  readonly what: string;
  /** What the request asks for. */
  readonly how: Readonly<Record<string, readonly (number | string)[]>>;
  readonly forbid: (home: PeeringHome) => Promise<unknown>;
  /** The same as a statement. */
  readonly statement: string;
  readonly code: string;
}

const ann = `/admin/users/${hashOf("ann")}`;
const cases: readonly Case[] = [
  {
    what: "a stop",
    how: {},
    forbid: (home) => home.admin("PUT", "/admin/announcement-stop", { reason: "a leak" }),
    statement: "SELECT switch_announcements('operator', 'a leak')",
    code: "announcements_stopped",
  },
  {
    what: "a suspension",
    how: {},
    forbid: (home) => home.admin("POST", `${ann}/suspend`, { reason: "a leak" }),
    statement: "UPDATE users SET suspended_at = now(), suspended_reason = 'a leak'",
    code: "user_suspended",
  },
  {
    what: "a right to poison that is taken back",
    how: { poison: [64_511] },
    forbid: (home) => home.admin("PATCH", ann, { may_poison: false }),
    statement: "UPDATE users SET may_poison = false",
    code: "not_granted",
  },
  {
    what: "a right to discard that is taken back",
    how: { blackhole: ["5"] },
    forbid: (home) => home.admin("PATCH", ann, { may_blackhole: false }),
    statement: "UPDATE users SET may_blackhole = false",
    code: "not_granted",
  },
];

/** Does it once, right before the statement of that name. */
function rightBefore(database: Database, name: string, act: () => Promise<unknown>): void {
  const { timed } = database;
  Object.assign(database, {
    timed: async <Answer>(named: string, ask: () => PromiseLike<Answer>): Promise<Answer> => {
      if (named === name) {
        Object.assign(database, { timed });
        await act();
      }
      return timed(named, ask);
    },
  });
}

onBothEngines((start) => {
  /** With a lease and all rights. */
  async function granted() {
    const home = await start();
    const prefix = await home.lease("ann");
    await home.admin("PATCH", ann, { may_poison: true, may_blackhole: true });
    return { home, prefix };
  }
  const put = (home: PeeringHome, prefix: string, how: Case["how"]) =>
    home.ask("ann", "PUT", `/api/announcements/${inPath(prefix)}`, {
      ...how,
      ...(how.blackhole === undefined ? {} : { blackhole: [prefix.replace("/48", "5")] }),
    });
  const stored = async (home: PeeringHome) =>
    (await home.services.database.sql`SELECT FROM announcements`).length;

  test.each(cases)("$what, between what was asked before and the request", async ({ how, forbid, code }) => {
    const { home, prefix } = await granted();
    await using _home = home;
    rightBefore(home.services.database, "announcement_set", () => forbid(home));
    const { status, body } = await put(home, prefix, how);
    expect([status, body.code, await stored(home)]).toEqual([403, code, 0]);
  });

  test.each(cases)("$what, in a transaction that is not over yet", async ({ how, statement, code }) => {
    const { home, prefix } = await granted();
    await using _home = home;
    const { sql, engine } = home.services.database;
    if (engine === "pglite") {
      // It has one connection: nothing comes between a transaction's beginning and its end.
      return;
    }
    const isHeld = Promise.withResolvers<void>();
    const mayGo = Promise.withResolvers<void>();
    const forbidding = sql.begin(async (tx) => {
      await tx.unsafe(statement);
      isHeld.resolve();
      await mayGo.promise;
    });
    await isHeld.promise;
    const asked = put(home, prefix, how);
    let isAnswered = false;
    void asked.then(() => {
      isAnswered = true;
    });
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      return isAnswered || waiting.length > 0;
    });
    mayGo.resolve();
    await forbidding;
    const { status, body } = await asked;
    expect([status, body.code, await stored(home)]).toEqual([403, code, 0]);
  });
});
