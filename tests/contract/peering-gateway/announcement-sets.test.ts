/** Several requests in one request, and renewals, which the feed tells and the audit does not keep. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { inPath, type PeeringHome } from "./peering-home.ts";

const minuteMs = 60_000;

onBothEngines((start) => {
  const put = (home: PeeringHome, announcements: unknown, query = "") =>
    home.ask("ann", "PUT", `/api/announcements${query}`, { announcements });
  const list = async (home: PeeringHome) => (await home.ask("ann", "GET", "/api/announcements")).body;
  const rows = async (home: PeeringHome) =>
    (await list(home)).announcements.map(
      (row: { server: string; announce: boolean; prepend: number; version: number }) =>
        [row.server, row.announce, row.prepend, row.version] as const,
    );
  const audit = async (home: PeeringHome): Promise<string[]> =>
    (await home.admin("GET", "/admin/audit")).body
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action.startsWith("announcement."));
  const two = '{ pool: ["2001:db8:100::/40"], per_user_max: 2 }';
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString();

  test("requests that differ are one change of the prefix, with one version and a line each in the audit", async () => {
    await using home = await start();
    const prefix = await home.lease("ann");
    const requests = [
      { prefix, servers: ["ixp-a"], prepend: 2 },
      { prefix, servers: ["ixp-b"], no_export: true },
      { prefix, servers: ["ixp-c"], announce: false },
    ];
    expect((await put(home, requests, "?check=true")).body).toEqual({ outcome: "changed", version: null });
    expect(await rows(home)).toEqual([]);
    expect((await put(home, requests)).body).toEqual({ outcome: "changed", version: 1 });
    expect(await rows(home)).toEqual([
      ["ixp-a", true, 2, 1],
      ["ixp-b", true, 0, 1],
      ["ixp-c", false, 0, 1],
    ]);
    expect((await list(home)).budget.left).toBe(9);
    expect(await audit(home)).toEqual(["announcement.withdraw", "announcement.set", "announcement.set"]);
    expect((await put(home, requests)).body.outcome).toBe("same");
    // Withdrawals alone are always allowed; with an announcement that changes they are not.
    const gone = { prefix, servers: ["ixp-a"], announce: false };
    const other = { prefix, servers: ["ixp-b"], prepend: 1 };
    expect((await put(home, [gone, other])).body.code).toBe("announcement_limit");
    expect((await put(home, [gone, requests[1]])).body.outcome).toBe("changed");
    expect((await rows(home)).map((row: unknown[]) => [row[1], row[3]])).toEqual([
      [false, 2],
      [true, 1],
      [false, 1],
    ]);
  });

  test("a request for all servers stands beside exceptions of the same request, and replaces all others", async () => {
    await using home = await start({ yaml: "announcements: { prefix_minutes: 0, per_hour_max: 100 }" });
    const prefix = await home.lease("ann");
    await put(home, [{ prefix, servers: ["ixp-a", "ixp-z"] }]);
    const requests = [{ prefix }, { prefix, servers: ["ixp-a"], prepend: 1 }];
    expect((await put(home, requests)).body.outcome).toBe("changed");
    expect((await rows(home)).map((row: unknown[]) => row.slice(0, 3))).toEqual([
      ["*", true, 0],
      ["ixp-a", true, 1],
    ]);
    expect((await put(home, requests)).body.outcome).toBe("same");
  });

  test("all or nothing: what stands against one stands against all, and nothing is counted", async () => {
    await using home = await start({ leases: two });
    const [one = "", other = ""] = [await home.lease("ann"), await home.lease("ann")].toSorted();
    await put(home, [{ prefix: other }]);
    const { left } = (await list(home)).budget;
    const both = [{ prefix: one }, { prefix: other, prepend: 1 }];
    const { status, body } = await put(home, both);
    expect([status, body.code]).toEqual([429, "announcement_limit"]);
    expect(body.message).toContain(`the next change of ${other}`);
    expect((await list(home)).budget.left).toBe(left);
    expect((await rows(home)).length).toBe(1);
    expect((await put(home, [{ prefix: one }, { prefix: "2001:db8:2::/48" }])).status).toBe(404);
    expect((await put(home, [{ prefix: one }])).body.outcome).toBe("changed");
  });

  test("the hour's budget counts each prefix of a request", async () => {
    const yaml = "announcements: { prefix_minutes: 0, per_hour_max: 3 }";
    await using home = await start({ leases: two, yaml });
    const prefixes = [await home.lease("ann"), await home.lease("ann")];
    const both = (prepend: number) => prefixes.map((prefix) => ({ prefix, prepend }));
    expect((await put(home, both(0))).body.outcome).toBe("changed");
    expect((await put(home, both(1))).status).toBe(429);
    expect((await list(home)).budget.left).toBe(1);
    expect((await put(home, both(1).slice(0, 1))).body.outcome).toBe("changed");
  });

  test("anything but a list of requests is refused with its place", async () => {
    await using home = await start();
    const prefix = await home.lease("ann");
    for (const [announcements, place] of [
      [[], "announcements"],
      [[{ prefix, prepend: 11 }], "announcements.0.prepend"],
      [[{ servers: ["a"] }], "announcements.0.prefix"],
    ] as const) {
      const { status, body } = await put(home, announcements);
      expect([status, body.fields[0].path]).toEqual([422, place]);
    }
    for (const announcements of [
      [{ prefix: "10.0.0.0/8" }],
      [
        { prefix, servers: ["ixp-a", "ixp-b"] },
        { prefix, servers: ["ixp-b"], announce: false },
      ],
    ]) {
      const { status, body } = await put(home, announcements);
      expect([status, body.message.includes("announcements.")]).toEqual([422, true]);
    }
    const names = Array.from({ length: 65 }, (_, n) => `ixp-${n}`);
    const withdrawals = (from: number, to: number) =>
      names.slice(from, to).map((name) => ({ prefix, servers: [name], announce: false }));
    expect((await put(home, withdrawals(0, 30))).status).toBe(200);
    expect((await put(home, withdrawals(30, 60))).status).toBe(200);
    expect((await put(home, withdrawals(60, 64))).status).toBe(200);
    const { status, body } = await put(home, withdrawals(64, 65));
    expect([status, body.message.includes("64 exchange servers at most")]).toEqual([422, true]);
    expect((await put(home, [{ prefix, announce: false }])).body.outcome).toBe("changed");
  });

  test("operators stop the announcements of everybody, and let them go on", async () => {
    await using home = await start();
    const prefix = await home.lease("ann");
    await put(home, [{ prefix }]);
    const mapping = async () => (await home.service("/service/mappings?email=false")).body.mappings[0];
    const leases = async () => (await mapping()).leases;
    expect(await leases()).toHaveLength(1);
    const path = "/admin/announcement-stop";
    expect((await home.admin("GET", path)).body).toEqual({ stopped_at: null, stopped_reason: null });
    expect((await home.admin("PUT", path, {})).status).toBe(422);
    const { next } = (await home.service("/service/changes")).body;
    expect((await home.admin("PUT", path, { reason: "a leak" })).body.stopped_reason).toBe("a leak");
    expect(await mapping()).toMatchObject({ leases: [], prefixes: [], announcements_stopped: true });
    const { changes } = (await home.service(`/service/changes?since=${next}`)).body;
    expect(changes).toMatchObject([{ action: "announcements.stop", details: { reason: "a leak" } }]);
    const refused = await put(home, [{ prefix }]);
    expect([refused.status, refused.body.code]).toEqual([403, "announcements_stopped"]);
    expect(refused.body.message).toContain("a leak");
    expect((await put(home, [{ prefix, announce: false }])).body.outcome).toBe("changed");
    expect((await home.admin("DELETE", path)).body).toEqual({ stopped_at: null, stopped_reason: null });
    expect(await mapping()).toMatchObject({ announcements_stopped: false });
    expect((await home.admin("GET", "/admin/audit")).body[0].action).toBe("announcements.resume");
  });

  test("a renewal wakes who waits, and writes nothing into the audit", async () => {
    await using home = await start();
    const prefix = await home.lease("ann");
    const request = { prefix, servers: ["ixp-a"], until: inMinutes(10) };
    await put(home, [request]);
    const lines = await audit(home);
    const { next } = (await home.service("/service/changes")).body;
    const waiting = home.service(`/service/changes?since=${next}&wait=20`);
    const { version } = await list(home);
    const client = home.ask("ann", "GET", `/api/announcements?since=${version}&wait=20`);
    expect((await put(home, [{ ...request, until: inMinutes(20) }])).body.outcome).toBe("renewed");
    const { changes, next: after } = (await waiting).body;
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(["announcement.renew"]);
    expect((await client).body.version).toBe(version + 1);
    const again = `/api/announcements/${inPath(prefix)}`;
    const { prefix: _prefix, ...body } = { ...request, until: inMinutes(30) };
    expect((await home.ask("ann", "PUT", again, body)).body.outcome).toBe("renewed");
    expect((await home.service(`/service/changes?since=${after}`)).body.changes).toHaveLength(1);
    expect(await audit(home)).toEqual(lines);
    await home.shift(31 * minuteMs);
    await home.services.database.sql`SELECT sweep_announcements(10)`;
    expect((await audit(home))[0]).toBe("announcement.end");
    const [{ gaps }] = await home.services.database.sql<[{ gaps: number }]>`
      SELECT last_number - renewals - (SELECT count(*) FROM changes) AS gaps FROM feed`;
    expect(gaps).toBe(0);
  });
});
