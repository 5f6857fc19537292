/**
 * `vantage experiment` at both gateways: a gateway runs it, whoever started it and whatever becomes of the terminal.
 * The user's client stack and the agents are played; gateways, databases, column store and the command are the real
 * ones.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usualChangeBudget } from "../../../lib/base/api/change-budget.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ExperimentHome } from "./experiment-home.ts";
import { targets } from "./played-agents.ts";

let home: ExperimentHome;

beforeAll(async () => {
  home = await ExperimentHome.start();
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
});

const ended = (name: string) => eventually(async () => expect((await home.kept(name)).state).toBe("ended"));

test("announces, asks, tells who catches what, and withdraws; a terminal that is closed changes nothing", async () => {
  const { path, prefix, name } = await home.experimentFile("catchments");
  await home.played(async (agents) => {
    const before = await home.changesLeft();
    const first = home.vantage("run", path, ...home.runOptions);
    await eventually(async () => expect((await home.journal(name)).join()).toContain('"kind":"round"'));
    expect(await home.announced(prefix)).toEqual(["ixp-1 1", "ixp-2 2"]);
    first.child.kill("SIGKILL");
    await first.ended;
    await ended(name);
    expect(agents.sent).toEqual([targets, targets]);
    expect(await home.announced(prefix)).toEqual([]);
    // One change for both sites, each in its own way, and the withdrawal.
    expect(await home.changesLeft()).toBe(before - 2);
  });
  const kept = await home.kept(name);
  expect(kept).toMatchObject({ prefix, reason: "finished", grant_id: null });
  const [show, timeline, list] = await Promise.all([
    home.vantage("show", name, "-o", "json").ended,
    home.vantage("timeline", kept.id.slice(0, 8), "-o", "json").ended,
    home.vantage("list", "-o", "json").ended,
  ]);
  expect(JSON.parse(list.out)[0]).toMatchObject({ name, state: "ended" });
  const rows: { round: number; site: string; targets: number; moved_here: number | null }[] = JSON.parse(
    show.out,
  );
  const both = "ixp-1 +1, ixp-2 +2";
  expect(rows.filter(({ targets: count }) => count > 0).map((row) => Object.values(row))).toEqual([
    [0, both, "east", 1, null],
    [0, both, "west", 3, null],
    [1, both, "east", 2, 1],
    [1, both, "west", 2, 0],
  ]);
  const events: { plane: string; subject: string; event: string }[] = JSON.parse(timeline.out);
  const kinds = new Set(events.map(({ plane, subject, event }) => `${plane} ${event} ${subject}`));
  for (const kind of ["control asked ixp-1", "control daemon ixp-1", "control exchange ixp-2"]) {
    expect([...kinds]).toContain(kind);
  }
  expect(events.filter(({ event }) => event === "catchment").map(({ subject }) => subject)).toEqual([
    "round 0",
    "round 1",
  ]);
  expect(JSON.parse(await home.asked(`/api/experiments/${kept.id}/timeline?limit=1000`))).toEqual(events);
  expect(JSON.parse(await home.asked(`/api/experiments/${kept.id}`)).rounds).toEqual(rows);
  // In SQL, as docs/measure/experiments.md has it: beside what else is in the store.
  const [asked] =
    /```sql\n(SELECT event[^`]*)```/.exec(readFileSync("docs/measure/experiments.md", "utf8"))?.slice(1) ??
    [];
  const counted = await home.asStored((gateway, token) =>
    (asked ?? "").replace("https://GATEWAY/", gateway).replace("ID", kept.id).replace("TOKEN", token),
  );
  const sumOf = (event: string) => events.filter((one) => one.event === event).length;
  expect(counted).toEqual(
    [...new Set(events.map(({ event }) => event))].sort().map((event) => ({
      ...{ event, events: sumOf(event), first: expect.any(String) },
    })),
  );
  // Its journal imports elsewhere: here the same one is not kept twice, and removing it leaves nothing.
  const folder = mkdtempSync(join(tmpdir(), "vantage-import-"));
  writeFileSync(join(folder, "journal.ndjson"), `${(await home.journal(name)).join("\n")}\n{"kind":"ev`);
  expect((await home.vantage("remove", name).ended).code).toBe(0);
  const imported = await home.vantage("import", folder, "-o", "json").ended;
  rmSync(folder, { recursive: true });
  expect([imported.code, JSON.parse(imported.out)]).toMatchObject([0, { name, state: "ended" }]);
  expect((await home.vantage("show", name, "-o", "json").ended).out).toBe(show.out);
});

test("a dry run of an aim forecasts its first announcement, and changes nothing; wrong goals are named", async () => {
  const { path, prefix, name } = await home.aimFile("wanted", "ixp-1: 40 %", "latency p90 below 80 ms");
  const { out, err, code } = await home.vantage("aim", "--dry-run", "-o", "json", path).ended;
  expect(code).toBe(0);
  const rows: { announced: string; goal: string; forecast_low: number; forecast_high: number }[] =
    JSON.parse(out);
  expect(rows.map(({ announced, goal }) => [announced, goal])).toEqual([
    ["ixp-1, ixp-2", "ixp-1: 40 %"],
    ["ixp-1, ixp-2", "latency p90 below 80 ms"],
  ]);
  // Nothing is known yet.
  expect(rows.every(({ forecast_low: low, forecast_high: high }) => high - low > 0.5)).toBe(true);
  expect(err).toContain("First announcement, to learn");
  expect(await home.announced(prefix)).toEqual([]);
  expect(await home.journal(name)).toEqual([]);
  const text = readFileSync(path, "utf8");
  const faults = [
    ["ixp-1: 140 %", "must be as `west: 40 %`"],
    ["ixp-9: 40 %", '"goals" names a site that is not in "sites"'],
    ["none of 2001:db8:77::/48 at ixp-1", "goals[0]: no target with a weight is meant by"],
  ] as const;
  for (const [goal, fault] of faults) {
    writeFileSync(path, text.replace("ixp-1: 40 %", goal));
    expect((await home.vantage("aim", path, ...home.runOptions).ended).err).toContain(fault);
  }
});

test("its database has no secret, and nothing of it opens without the key, or for another experiment", async () => {
  const { path, name } = await home.experimentFile("sealed", "catchment: { after: 300 }");
  const run = await home.vantage("run", path, "-d", ...home.runOptions).ended;
  expect(run.code).toBe(0);
  const { experiments, database } = home.probing.gateway.services;
  const [row] = await database.sql<{ id: string; grant_jwe: string; audit: string }[]>`
    SELECT experiment_id::text AS id, grant_jwe, (SELECT jsonb_agg(audit)::text FROM audit) AS audit
    FROM experiments WHERE name = ${name}`;
  const { id = "", grant_jwe: sealed = "", audit = "" } = row ?? {};
  const secret = experiments.secrets.open(sealed, id);
  expect(secret).toStartWith("vantage_");
  expect(`${sealed} ${audit}`).not.toContain(secret);
  expect(audit).toContain("experiment.start");
  expect(() => experiments.secrets.open(sealed, crypto.randomUUID())).toThrow("Cannot decrypt a grant");
  const cut = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
  expect(() => experiments.secrets.open(cut, id)).toThrow("Cannot decrypt a grant");
  await home.vantage("stop", name).ended;
  await ended(name);
  const [after] = await database.sql`SELECT grant_jwe FROM experiments WHERE name = ${name}`;
  expect(after?.grant_jwe).toBeNull();
});

test("paused it changes nothing more and is renewed, resumed it goes on, and stop withdraws at once", async () => {
  const { path, prefix, name } = await home.experimentFile("paused", "catchment: { after: 8 }");
  await home.played(async (agents) => {
    expect((await home.vantage("run", path, "-d", ...home.runOptions).ended).code).toBe(0);
    await eventually(async () => expect(await home.announced(prefix)).toHaveLength(2));
    const paused = await home.vantage("pause", name, "-o", "json").ended;
    expect(JSON.parse(paused.out).state).toBe("paused");
    // Beyond the catchment's time, and two intervals: it would have ended without renewals.
    await Bun.sleep(14_000);
    expect([agents.sent, await home.announced(prefix)]).toEqual([[], ["ixp-1 1", "ixp-2 2"]]);
    expect((await home.vantage("resume", name).ended).code).toBe(0);
    await ended(name);
    expect(agents.sent).toEqual([targets]);
  });
  expect((await home.kept(name)).reason).toBe("finished");
  const left = await home.experimentFile("stopped", "catchment: { after: 300 }");
  const running = home.vantage("run", left.path, ...home.runOptions);
  await eventually(async () => expect(await home.announced(left.prefix)).toHaveLength(2));
  const twice = await home.vantage("run", left.path, ...home.runOptions).ended;
  expect([twice.code, twice.err]).toEqual([
    1,
    expect.stringContaining("Another campaign of yours has the name"),
  ]);
  expect((await home.vantage("stop", "stopped").ended).code).toBe(0);
  await eventually(async () => expect(await home.announced(left.prefix)).toEqual([]));
  expect((await running.ended).err).toContain("Ended: stopped");
  const again = await home.vantage("stop", "stopped").ended;
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("has ended")]);
});

test("a run renews a lease that would end before it, and no other", async () => {
  const hourMs = 3_600_000;
  const { path, prefix, name } = await home.experimentFile("renews", "catchment: { after: 3h }");
  const check = await home.vantage("check", "--ask", path).ended;
  expect([check.code, check.err]).toEqual([0, expect.stringContaining("it is renewed, for at most 24 h")]);
  expect(await home.leaseLeftMs(prefix)).toBeLessThan(2 * hourMs);
  const run = await home.vantage("run", path, "-d", ...home.runOptions).ended;
  expect([run.code, run.err]).toEqual([0, expect.stringContaining("it is renewed, for at most 24 h")]);
  // A catchment at three hours, a minute for its answers, ten for the last networks: whole hours.
  await eventually(async () => expect(await home.leaseLeftMs(prefix)).toBeGreaterThan(3.9 * hourMs));
  await eventually(async () =>
    expect((await home.journal(name)).join()).toContain(`the lease of ${prefix} is renewed`),
  );
  await home.vantage("stop", name).ended;
  await ended(name);
  expect(await home.leaseLeftMs(prefix)).toBeLessThan(4 * hourMs);
});

test("a grant that is revoked ends it: with the reason, and its announcements by themselves", async () => {
  const { path, prefix, name } = await home.experimentFile("revoked", "catchment: { after: 300 }");
  await home.vantage("run", path, "-d", ...home.runOptions).ended;
  await eventually(async () => expect(await home.announced(prefix)).toHaveLength(2));
  await home.revoke((await home.kept(name)).grant_id ?? "");
  await ended(name);
  expect((await home.kept(name)).reason).toContain('The grant "revoked" was revoked');
  await eventually(async () => expect(await home.announced(prefix)).toEqual([]));
});

test("what may not run says why, and announces nothing", async () => {
  const { path, prefix } = await home.experimentFile("long", "catchment: { after: 2h }");
  const { code, err } = await home.vantage("check", "--lease", "2h", path).ended;
  expect([code, err]).toEqual([1, expect.stringContaining("renew it first")]);
  const { path: other } = await home.experimentFile("elsewhere");
  await addAgent(home.probing.gateway, "east", { prefixes: ["2001:db8:1234::/48"] });
  const elsewhere = await home.vantage("run", other, ...home.runOptions).ended;
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("gives you no address in")]);
  const unknown = await home.vantage("run", other, "--collector", "http://192.0.2.1", ...home.runOptions)
    .ended;
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("not one of this gateway's")]);
  const theirs = await home.start("bob", { grant: await home.grantSecret(prefix), prefix });
  expect(theirs).toEqual([403, expect.stringContaining("another user's")]);
  const small = await home.start("anna", {
    grant: await home.grantSecret(prefix, { changes_max: 1 }),
    prefix,
  });
  expect(small).toEqual([422, expect.stringContaining("and the grant allows 1 more")]);
  const plain = await home.start("anna", { grant: await home.grantSecret(prefix, { kinds: [] }), prefix });
  expect(plain).toEqual([422, expect.stringContaining("The grant does not include prepend")]);
  expect(await home.announced(prefix)).toEqual([]);
});

test("what an exchange server would refuse is refused beforehand, by check and by run", async () => {
  const { path, prefix } = await home.experimentFile("refused");
  const inSec = (sec: number) => new Date(Date.now() + 1000 * sec).toISOString();
  await home.reportChanges(prefix, "ixp-1", { ...usualChangeBudget, spent_until: inSec(2500) });
  const refusal = 'steps[0]: the exchange server "ixp-1" would refuse the change at 0 s: it takes 5 changes';
  const [check, run] = await Promise.all([
    home.vantage("check", "--ask", path).ended,
    home.vantage("run", path, ...home.runOptions).ended,
  ]);
  expect([check.code, check.err]).toEqual([1, expect.stringContaining(refusal)]);
  expect(check.err).toMatch(/it takes it at 1\d\d s: start 1\d\d s later/);
  expect([run.code, run.err]).toEqual([1, expect.stringContaining(refusal)]);
  expect(await home.announced(prefix)).toEqual([]);
  await home.reportChanges(prefix, "ixp-1", { ...usualChangeBudget, spent_until: inSec(1700) });
  const fits = await home.vantage("check", "--ask", "-o", "ndjson", path).ended;
  expect([fits.code, fits.err]).toEqual([
    0,
    expect.stringContaining("When it is over, ixp-1 takes 1 of 5 changes"),
  ]);
  expect(fits.err).toContain("How often ixp-2 takes changes of the prefix is not known");
  const rows = fits.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const announced = rows.filter(({ kind }) => kind === "announce");
  expect(announced.map(({ site, changes_left: left }) => [site, left])).toEqual([
    ["ixp-1", 1],
    ["ixp-2", null],
  ]);
});
