/** The change feed: what it tells, when it answers, and what it never leaves out. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { hashOf, hourMs, inPath, type PeeringHome } from "./peering-home.ts";

interface Change {
  readonly number: number;
  readonly action: string;
  readonly prefix: string | null;
  readonly user_hash: string;
}

onBothEngines((start) => {
  const since = async (home: PeeringHome, number: number | null, waitSec = 0) => {
    const query = number === null ? "" : `since=${number}&`;
    const { body } = await home.service(`/service/changes?${query}wait=${waitSec}`);
    return body as { next: number; changes: Change[] };
  };
  const actions = ({ changes }: { changes: Change[] }) => changes.map(({ action }) => action);

  test("each change that concerns routes is in the feed once, in order", async () => {
    await using home = await start({
      yaml: "rpki: { mode: lease, adapter: local, origin_asn: 64500 }",
    });
    const { next } = await since(home, null);
    const prefix = await home.lease("ann", 2);
    const path = `/api/user/prefix/${inPath(prefix)}`;
    await home.ask("ann", "POST", `${path}/renew`, { duration_hours: 3 });
    await home.ask("ann", "PUT", `${path}/rpki`, { enabled: false });
    await home.ask("ann", "PUT", `${path}/rpki`, { enabled: false });
    await home.admin("POST", `/admin/users/${hashOf("ann")}/suspend`, { reason: "abuse" });
    await home.admin("PATCH", `/admin/users/${hashOf("ann")}`, { leases_max: 2 });
    await home.admin("POST", `/admin/users/${hashOf("ann")}/resume`);
    await home.ask("ann", "DELETE", path);
    const found = await since(home, next);
    expect(actions(found)).toEqual([
      ...["asn.assign", "lease.grant", "lease.renew", "lease.rpki", "user.suspend", "user.resume"],
      "lease.release",
    ]);
    expect(found.changes[1]).toMatchObject({ prefix, user_hash: hashOf("ann") });
    const numbers = found.changes.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await since(home, found.next)).toEqual({ next: found.next, changes: [] });
    // Without a number, or with one of another database: the last change.
    expect(actions(await since(home, null))).toEqual(["lease.release"]);
    expect(actions(await since(home, 1e12))).toEqual(["lease.release"]);
  });

  test("who waits is answered when something happens, and not before", async () => {
    await using home = await start();
    await home.lease("early");
    const { next } = await since(home, null);
    let isAnswered = false;
    const waiting = since(home, next, 50).finally(() => {
      isAnswered = true;
    });
    await Bun.sleep(300);
    expect(isAnswered).toBe(false);
    await home.ask("late", "POST", "/api/user/asn");
    expect(actions(await waiting)).toEqual(["asn.assign"]);
  });

  test("a change of another gateway is found too, and the wait ends by itself", async () => {
    await using home = await start();
    const { next } = await since(home, null);
    expect((await since(home, next, 1)).changes).toEqual([]);
    const waiting = since(home, next, 50);
    const { sql } = home.services.database;
    await sql`SELECT record_change('admin', 'user.suspend', ${hashOf("somebody")})`;
    expect(actions(await waiting)).toEqual(["user.suspend"]);
  });

  test("leases that end soon are warned of once, again after a renewal, and so is their end", async () => {
    await using home = await start({
      leases: '{ pool: ["2001:db8:1::/48"], ends_soon_minutes: 30 }',
    });
    const prefix = await home.lease("ann", 1);
    const { next } = await since(home, null);
    const endsSoon = async () => {
      const { body } = await home.ask("ann", "GET", "/api/user/info");
      return body.active_leases.map(({ ends_soon }: { ends_soon: boolean }) => ends_soon);
    };
    expect(await endsSoon()).toEqual([false]);
    await home.shift(0.6 * hourMs);
    const warned = await since(home, next, 50);
    expect([actions(warned), await endsSoon()]).toEqual([["lease.ends_soon"], [true]]);
    await home.ask("ann", "POST", `/api/user/prefix/${inPath(prefix)}/renew`, { duration_hours: 1 });
    const renewed = await since(home, warned.next, 50);
    expect([actions(renewed), await endsSoon()]).toEqual([["lease.renew"], [false]]);
    await home.shift(0.6 * hourMs);
    const again = await since(home, renewed.next, 50);
    expect(actions(again)).toEqual(["lease.ends_soon"]);
    await home.shift(0.6 * hourMs);
    expect(actions(await since(home, again.next, 50))).toEqual(["lease.end"]);
  });

  test("a gateway that stops lets nobody wait", async () => {
    await using home = await start();
    const { next } = await since(home, null);
    const waiting = since(home, next, 50);
    await Bun.sleep(50);
    home.services.feed[Symbol.dispose]();
    expect((await waiting).changes).toEqual([]);
  });
});
