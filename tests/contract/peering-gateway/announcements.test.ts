/** Announcements as an API: requests, their limits, their end, and what exchange servers hear of them. */
import { expect, test } from "bun:test";
import { announcementWaitersOfUserMax } from "../../../apps/peering/gateway/limits.ts";
import { onBothEngines } from "./on-both-engines.ts";
import { hashOf, hourMs, inPath, type PeeringHome } from "./peering-home.ts";

const minuteMs = 60_000;

onBothEngines((start) => {
  const put = (home: PeeringHome, prefix: string, request: unknown = {}, query = "") =>
    home.ask("ann", "PUT", `/api/announcements/${inPath(prefix)}${query}`, request);
  const withdraw = (home: PeeringHome, prefix: string, query = "") =>
    home.ask("ann", "DELETE", `/api/announcements/${inPath(prefix)}${query}`);
  const list = async (home: PeeringHome, query = "") =>
    (await home.ask("ann", "GET", `/api/announcements${query}`)).body;
  const rows = async (home: PeeringHome) =>
    (await list(home)).announcements.map(
      (row: { server: string; announce: boolean; prepend: number; version: number }) => [
        row.server,
        row.announce,
        row.prepend,
        row.version,
      ],
    );
  const toExchanges = async (home: PeeringHome) =>
    (await home.service("/service/mappings?email=false")).body.mappings[0].leases;
  const quick = "announcements: { prefix_minutes: 0, per_hour_max: 100 }";

  test("a request is kept with its version, one for all servers replaces those for single ones", async () => {
    await using home = await start({ yaml: quick });
    const prefix = await home.lease("ann");
    expect(await list(home)).toMatchObject({ version: 0, announcements: [], report: null });
    const request = { servers: ["ixp-a", "ixp-b"], prepend: 3 };
    expect((await put(home, prefix, request)).body).toEqual({ outcome: "changed", version: 1 });
    expect((await put(home, prefix, request)).body).toEqual({ outcome: "same", version: null });
    expect(await rows(home)).toEqual([
      ["ixp-a", true, 3, 1],
      ["ixp-b", true, 3, 1],
    ]);
    expect((await withdraw(home, prefix, "?server=ixp-b")).body.version).toBe(2);
    expect((await rows(home))[1].slice(0, 2)).toEqual(["ixp-b", false]);
    const before = BigInt(Date.now() - 1) * 1_000_000n;
    await put(home, prefix);
    expect(await rows(home)).toEqual([["*", true, 0, 3]]);
    const { asked_ns: askedNs } = (await list(home)).announcements[0];
    expect(BigInt(askedNs) > before).toBe(true);
    expect((await home.admin("GET", "/admin/audit")).body[0]).toMatchObject({
      actor: `user:${hashOf("ann")}`,
      action: "announcement.set",
      prefix,
    });
  });

  test("what is not a request, or not of a live lease of the caller, is refused with its place", async () => {
    await using home = await start();
    const prefix = await home.lease("ann");
    for (const [request, path] of [
      [{ prepend: 11 }, "prepend"],
      [{ servers: [] }, "servers"],
      [{ servers: ["a b"] }, "servers.0"],
      [{ until: "soon" }, "until"],
      [{ not_to: [1, 2, 3, 4, 5, 6] }, "not_to"],
      [{ only_to: ["A"] }, "only_to.0"],
      [{ prepend_to: { "1": 4 } }, "prepend_to.1"],
      [{ poison: [1, 2, 3, 4, 5, 6] }, "poison"],
      [{ blackhole: ["192.0.2.1"] }, "blackhole.0"],
    ] as const) {
      const { status, body } = await put(home, prefix, request);
      expect([status, body.fields[0].path]).toEqual([422, path]);
    }
    expect((await put(home, prefix, { until: "2020-01-01T00:00:00Z" })).status).toBe(422);
    expect((await put(home, "2001:db8:2::/48")).body.code).toBe("unknown_lease");
    expect((await withdraw(home, prefix, "?server=A")).body.code).toBe("invalid_query");
    await home.lease("bob");
    expect((await home.ask("bob", "PUT", `/api/announcements/${inPath(prefix)}`, {})).status).toBe(404);
    expect((await home.ask(null, "DELETE", "/api/announcements")).status).toBe(401);
  });

  test("neighbours are named as the gateway's configuration has them, and kept by ASN", async () => {
    const neighbors = "neighbors: [{ name: transit, asn: 64496 }, { name: rs1, asn: 64497 }]";
    await using home = await start({ yaml: quick.replace("}", `, ${neighbors} }`) });
    const prefix = await home.lease("ann");
    const lists = { not_to: ["rs1", 64_496, 64_497], prepend_to: { transit: 2 } };
    expect((await put(home, prefix, { ...lists, no_export: true })).body.outcome).toBe("changed");
    const { announcements, neighbors: known } = await list(home);
    expect(announcements[0]).toMatchObject({
      ...{ prepend: 0, not_to: [64_496, 64_497], only_to: [], prepend_to: { "64496": 2 } },
      ...{ no_export: true, graceful_shutdown: false, poison: [] },
    });
    expect(known).toContainEqual({ name: "rs1", asn: 64_497 });
    const same = { prepend_to: { "64496": 2 }, no_export: true, not_to: [64_496, "rs1"] };
    expect((await put(home, prefix, same)).body.outcome).toBe("same");
    for (const request of [{ only_to: ["nobody"] }, { not_to: [64_499] }, { prepend_to: { "1": 1 } }]) {
      const { status, body } = await put(home, prefix, request, "?check=true");
      expect([status, body.code]).toEqual([422, "unknown_neighbor"]);
    }
  });

  test("poisoned paths are a right that an operator gives and takes back, with limits of their own", async () => {
    await using home = await start({
      yaml: quick.replace("}", ", neighbors: [{ name: transit, asn: 64496 }] }"),
    });
    const prefix = await home.lease("ann");
    const code = async (request: unknown) => {
      const { status, body } = await put(home, prefix, request);
      return [status, status === 200 ? body.outcome : body.code];
    };
    expect(await code({ poison: [64_499] })).toEqual([403, "not_granted"]);
    const path = `/admin/users/${hashOf("ann")}`;
    expect((await home.admin("PATCH", path, { may_poison: true })).body.may_poison).toBe(true);
    const mapping = async () => (await home.service("/service/mappings?email=false")).body.mappings[0];
    expect((await mapping()).may_poison).toBe(true);
    expect(await code({ poison: [64_499, 64_498], prepend: 7 })).toEqual([200, "changed"]);
    expect((await list(home)).announcements[0]).toMatchObject({ poison: [64_499, 64_498], prepend: 7 });
    for (const poison of [[64_496], [3356]]) {
      expect(await code({ poison })).toEqual([422, "invalid_body"]);
    }
    expect(await code({ poison: [64_499, 64_498], prepend: 8 })).toEqual([422, "invalid_body"]);
    await home.admin("PATCH", path, { may_poison: false });
    expect(await code({ poison: [64_499] })).toEqual([403, "not_granted"]);
    expect((await mapping()).may_poison).toBe(false);
    const [last] = (await home.admin("GET", "/admin/audit")).body;
    expect(last).toMatchObject({ action: "user.grants", details: { may_poison: false } });
  });

  test("discarding addresses is a right too, of addresses of the prefix, each once in one spelling", async () => {
    await using home = await start({ yaml: quick });
    const prefix = await home.lease("ann");
    const address = prefix.replace("/48", "5");
    const code = async (request: unknown) => {
      const { status, body } = await put(home, prefix, request);
      return [status, status === 200 ? body.outcome : body.code];
    };
    expect(await code({ blackhole: [address] })).toEqual([403, "not_granted"]);
    const path = `/admin/users/${hashOf("ann")}`;
    await home.admin("PATCH", path, { may_poison: true });
    expect(await code({ blackhole: [address] })).toEqual([403, "not_granted"]);
    expect((await home.admin("PATCH", path, { may_blackhole: true })).body.may_blackhole).toBe(true);
    const [mapping] = (await home.service("/service/mappings?email=false")).body.mappings;
    expect(mapping.may_blackhole).toBe(true);
    const spelled = address.replace("db8", "0DB8");
    expect(await code({ blackhole: [spelled, address] })).toEqual([200, "changed"]);
    expect((await list(home)).announcements[0].blackhole).toEqual([address]);
    expect(await code({ blackhole: ["2001:db8:ffff::1"] })).toEqual([422, "invalid_body"]);
    expect(await code({ blackhole: Array(9).fill(address) })).toEqual([422, "invalid_body"]);
    const [last] = (await home.admin("GET", "/admin/audit")).body;
    expect(last).toMatchObject({ action: "announcement.set", details: { blackhole: [address] } });
  });

  test("a prefix changes every ten minutes, a user's ten times an hour; withdrawing is always allowed", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:100::/40"], per_user_max: 3 }' });
    const prefix = await home.lease("ann", 3);
    const other = await home.lease("ann", 3);
    await put(home, prefix);
    const { status, body } = await put(home, prefix, { prepend: 1 });
    expect([status, body.code]).toEqual([429, "announcement_limit"]);
    expect((await put(home, prefix, { prepend: 1 }, "?check=true")).status).toBe(429);
    // Of another prefix, and unchanged: no limit of this one holds.
    expect((await put(home, other, {}, "?check=true")).body.outcome).toBe("changed");
    expect((await put(home, prefix)).body.outcome).toBe("same");
    expect((await withdraw(home, prefix)).body.outcome).toBe("changed");
    expect((await list(home)).budget).toMatchObject({ per_hour_max: 10, left: 8 });
    await home.shift(9 * minuteMs);
    expect((await put(home, prefix)).status).toBe(429);
    await home.shift(minuteMs + 1);
    expect((await put(home, prefix)).body.outcome).toBe("changed");
    for (let left = 7; left > 0; left -= 1) {
      await withdraw(home, other);
      await home.shift(1);
      const isLast = left === 1;
      await home.services.database.sql`DELETE FROM announcements WHERE ${!isLast}`;
    }
    const { budget } = await list(home);
    expect(budget.left).toBe(0);
    await home.shift(11 * minuteMs);
    expect((await put(home, other)).status).toBe(429);
    await home.shift(hourMs);
    expect((await put(home, other)).body).toMatchObject({ outcome: "changed" });
  });

  test("exchange servers hear of a prefix until its end, and of none that is withdrawn everywhere", async () => {
    await using home = await start({ yaml: quick });
    const prefix = await home.lease("ann", 2);
    const [{ end_time: leaseEnd }] = await toExchanges(home);
    const until = new Date(Date.now() + 30 * minuteMs).toISOString();
    await put(home, prefix, { until });
    expect(await toExchanges(home)).toEqual([{ prefix, end_time: until }]);
    const later = new Date(Date.parse(until) + minuteMs).toISOString();
    expect((await put(home, prefix, { until: later })).body.outcome).toBe("renewed");
    // A server of its own goes on longer.
    await put(home, prefix, { servers: ["ixp-a"] });
    const servers = { "*": later, "ixp-a": leaseEnd };
    expect(await toExchanges(home)).toEqual([{ prefix, end_time: leaseEnd, servers }]);
    await withdraw(home, prefix, "?server=ixp-b");
    const never = new Date(0).toISOString();
    expect((await toExchanges(home))[0].servers).toEqual({ ...servers, "ixp-b": never });
    await home.shift(40 * minuteMs);
    await home.services.database.sql`SELECT sweep_announcements(10)`;
    expect((await rows(home)).map((row: unknown[]) => row.slice(0, 2))).toEqual([
      ["*", false],
      ["ixp-a", true],
      ["ixp-b", false],
    ]);
    expect((await toExchanges(home))[0].servers).toEqual({ "*": never, "ixp-a": leaseEnd, "ixp-b": never });
    await withdraw(home, prefix, "?server=ixp-a");
    expect(await toExchanges(home)).toEqual([]);
    expect((await home.service("/service/mappings?email=false")).body.mappings[0].prefixes).toEqual([]);
  });

  test("withdrawing everything waits for nobody, and the feed tells it to who waits", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:100::/40"], per_user_max: 2 }' });
    const prefixes = [await home.lease("ann"), await home.lease("ann")];
    await put(home, prefixes[0] ?? "", { servers: ["ixp-a"] });
    const { version } = await list(home);
    const waiting = list(home, `?since=${version}&wait=40`);
    expect((await home.ask("ann", "DELETE", "/api/announcements")).body).toEqual({ prefixes: 2 });
    const { announcements } = await waiting;
    expect(announcements.map((row: { prefix: string; server: string }) => [row.prefix, row.server])).toEqual(
      prefixes.toSorted().map((prefix) => [prefix, "*"]),
    );
    expect(await toExchanges(home)).toEqual([]);
    expect((await home.ask("nobody", "DELETE", "/api/announcements")).body).toEqual({ prefixes: 0 });
  });

  test("one user's many waits end nobody else's", async () => {
    await using home = await start();
    const [ann, bob] = [await home.lease("ann"), await home.lease("bob")];
    const { version } = await list(home);
    let answered = 0;
    const waits = Array.from({ length: 520 }, async () => {
      await list(home, `?since=${version}&wait=40`);
      answered++;
    });
    // Beyond those that a user may have, they are answered at once.
    while (answered < waits.length - announcementWaitersOfUserMax) {
      await Bun.sleep(10);
    }
    const ofBob = (await home.ask("bob", "GET", "/api/announcements")).body.version;
    const waiting = home.ask("bob", "GET", `/api/announcements?since=${ofBob}&wait=40`);
    const isWaiting = await Promise.race([waiting.then(() => false), Bun.sleep(300).then(() => true)]);
    expect(isWaiting).toBe(true);
    await home.ask("bob", "PUT", `/api/announcements/${inPath(bob)}`, {});
    expect((await waiting).body.announcements).toMatchObject([{ prefix: bob }]);
    await put(home, ann);
    await Promise.all(waits);
  });

  test("requests end with their lease, and the version says so", async () => {
    await using home = await start({ yaml: quick });
    const prefix = await home.lease("ann");
    await withdraw(home, prefix);
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    expect(await list(home)).toMatchObject({ version: 2, announcements: [] });
    expect(await home.lease("ann")).toBe(prefix);
    expect(await toExchanges(home)).toMatchObject([{ prefix }]);
  });

  test("the client stack's report is shown, and bounded", async () => {
    await using home = await start();
    const state = { announce: true, prepend: 0, daemon_ns: "1795000000000000001", daemon_reason: null };
    const seen = { exchange: "refused", exchange_ns: null, exchange_reason: "no lease", heard_by: [] };
    const report = {
      version: 1,
      taken_ns: "1795000000000000000",
      states: [{ prefix: "2001:db8:1::/48", server: "ixp-a", ...state, ...seen }],
    };
    const send = async (body: unknown) =>
      (await home.ask("ann", "PUT", "/api/announcement-report", body)).status;
    expect(await send(report)).toBe(404);
    await home.lease("ann");
    expect(await send(report)).toBe(200);
    expect((await list(home)).report).toMatchObject(report);
    const { time_ms: timeMs } = (await home.ask("ann", "PUT", "/api/announcement-report", report)).body;
    expect([Number.isInteger(timeMs), timeMs <= (await list(home)).time_ms]).toEqual([true, true]);
    expect(await send({ ...report, taken_ns: "now" })).toBe(422);
    const others = [...Array(20).keys()].map((host) => `100.64.0.${host + 1}`);
    for (const machine of others) {
      const own = {
        ...state,
        ...seen,
        prefix: "2001:db8:1::/48",
        server: `ixp-${machine.split(".").at(-1)}`,
      };
      expect(await send({ ...report, machine, states: [own] })).toBe(200);
      // PGlite's clock has whole milliseconds: two reports in one have no order.
      await Bun.sleep(2);
    }
    // Sixteen machines, those that reported last.
    const servers = (await list(home)).report?.states.map(({ server }: { server: string }) => server) ?? [];
    expect(servers.toSorted()).toEqual(
      others
        .slice(4)
        .map((one) => `ixp-${one.split(".").at(-1)}`)
        .toSorted(),
    );
    expect(await send({ ...report, machine: "a laptop" })).toBe(422);
    await home.admin("DELETE", `/admin/users/${hashOf("ann")}`);
    expect((await list(home)).report).toBeNull();
  });
});
