/**
 * `vantage experiment run` at both gateways: what it does once, whatever kills it, and what it leaves behind. The
 * user's client stack and the agents are played; gateways, databases, column store and the command are the real ones.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { usualChangeBudget } from "../../../lib/base/api/change-budget.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ExperimentHome, targets } from "./experiment-home.ts";

let home: ExperimentHome;

beforeAll(async () => {
  home = await ExperimentHome.start();
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
});

test("announces, asks, tells who catches what, and withdraws; killed in the middle it goes on", async () => {
  const { path, prefix, journal } = await home.experimentFile("catchments");
  await home.played(async (agents) => {
    const before = await home.changesLeft();
    const first = home.vantage("run", path, ...home.runOptions);
    await eventually(() =>
      Promise.resolve(
        expect(readFileSync(join(journal, "journal.ndjson"), "utf8")).toContain('"kind":"round"'),
      ),
    );
    expect(await home.announced(prefix)).toEqual(["ixp-1 1", "ixp-2 2"]);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await home.vantage("run", path, ...home.runOptions).ended;
    expect([second.code, second.err]).toEqual([0, expect.stringContaining("Ended: finished")]);
    expect(agents.sent).toEqual([targets, targets]);
    expect(await home.announced(prefix)).toEqual([]);
    // Going on, nothing was announced anew: one change for both sites, each in its own way, and the withdrawal.
    expect(await home.changesLeft()).toBe(before - 2);
  });
  const [show, timeline, again] = await Promise.all([
    home.vantage("show", journal, "-o", "json").ended,
    home.vantage("timeline", journal, "-o", "json").ended,
    home.vantage("run", path, ...home.runOptions).ended,
  ]);
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
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("has ended: finished")]);

  // The gateway has what the command wrote down, in spite of the kill, and makes the same of it.
  const [kept] = JSON.parse(await home.asked("/api/experiments"));
  expect(kept).toMatchObject({ name: "catchments", prefix, state: "ended", reason: "finished" });
  const file = readFileSync(join(journal, "journal.ndjson"), "utf8");
  expect(await home.asked(`/api/experiments/${kept.id}/journal`)).toBe(file);
  expect(JSON.parse(await home.asked(`/api/experiments/${kept.id}/timeline?limit=1000`))).toEqual(events);
  expect(JSON.parse(await home.asked(`/api/experiments/${kept.id}`)).rounds).toEqual(rows);
  // In SQL, as docs/measure/experiments.md has it: beside what else is in the store.
  const [asked] =
    /```sql\n(SELECT event[^`]*)```/.exec(readFileSync("docs/measure/experiments.md", "utf8"))?.slice(1) ??
    [];
  const counted = await home.asStored((gateway, token) =>
    (asked ?? "").replace("https://GATEWAY/", gateway).replace("ID", kept.id).replace("TOKEN", token),
  );
  const sumOf = (name: string) => events.filter(({ event }) => event === name).length;
  expect(counted).toEqual(
    [...new Set(events.map(({ event }) => event))].sort().map((event) => ({
      ...{ event, events: sumOf(event), first: expect.any(String) },
    })),
  );
  const published = await home.vantage("publish", journal).ended;
  const lines = file.trimEnd().split("\n").length;
  expect([published.code, published.err]).toEqual([0, expect.stringContaining(`${kept.id}: ${lines} lines`)]);
});

test("a journal that is private stays where it was written, until it is published", async () => {
  const { path, journal } = await home.experimentFile("private", "catchment: { after: 1 }");
  const names = async () =>
    JSON.parse(await home.asked("/api/experiments")).map(({ name }: { name: string }) => name);
  await home.played(async () => {
    const run = await home.vantage("run", path, "--private", ...home.runOptions).ended;
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining("/console/experiments/")]);
  });
  expect(await names()).not.toContain("private");
  expect((await home.vantage("publish", journal).ended).code).toBe(0);
  expect(await names()).toContain("private");
});

test("what a killed command has announced ends by itself within two intervals", async () => {
  const { path, prefix } = await home.experimentFile("dead", "catchment: { after: 300 }");
  const { child, ended } = home.vantage("run", path, ...home.runOptions);
  await eventually(async () => expect(await home.announced(prefix)).toHaveLength(2));
  // It has been renewed at least once.
  await Bun.sleep(7000);
  expect(await home.announced(prefix)).toHaveLength(2);
  child.kill("SIGKILL");
  await ended;
  await eventually(async () => expect(await home.announced(prefix)).toEqual([]));
});

test("stop withdraws at once, whether the command is alive or not, and Ctrl-C does", async () => {
  const alive = await home.experimentFile("alive", "catchment: { after: 300 }");
  const running = home.vantage("run", alive.path, ...home.runOptions);
  await eventually(async () => expect(await home.announced(alive.prefix)).toHaveLength(2));
  expect((await home.vantage("stop", alive.journal).ended).code).toBe(0);
  expect(await home.announced(alive.prefix)).toEqual([]);
  expect((await running.ended).err).toContain("Ended: stopped");
  const dead = await home.experimentFile("gone", "catchment: { after: 300 }");
  const killed = home.vantage("run", dead.path, ...home.runOptions);
  await eventually(async () => expect(await home.announced(dead.prefix)).toHaveLength(2));
  killed.child.kill("SIGKILL");
  await killed.ended;
  expect((await home.vantage("stop", dead.journal).ended).code).toBe(0);
  expect(await home.announced(dead.prefix)).toEqual([]);
  const left = await home.experimentFile("left", "catchment: { after: 300 }");
  const interrupted = home.vantage("run", left.path, ...home.runOptions);
  await eventually(async () => expect(await home.announced(left.prefix)).toHaveLength(2));
  interrupted.child.kill("SIGINT");
  expect((await interrupted.ended).code).toBe(130);
  expect(await home.announced(left.prefix)).toEqual([]);
});

test("a run renews a lease that would end before it, and no other", async () => {
  const hourMs = 3_600_000;
  const { path, prefix } = await home.experimentFile("renews", "catchment: { after: 3h }");
  const check = await home.vantage("check", "--ask", path).ended;
  expect([check.code, check.err]).toEqual([0, expect.stringContaining("it is renewed, for at most 24 h")]);
  expect(await home.leaseLeftMs(prefix)).toBeLessThan(2 * hourMs);
  const run = home.vantage("run", path, ...home.runOptions);
  // A catchment at three hours, a minute for its answers, ten for the last networks: whole hours.
  await eventually(async () => expect(await home.leaseLeftMs(prefix)).toBeGreaterThan(3.9 * hourMs));
  run.child.kill("SIGINT");
  expect((await run.ended).err).toContain(`he lease of ${prefix} is renewed until `);
  const again = home.vantage("run", path, "--journal", `${path}.again`, ...home.runOptions);
  await eventually(async () => expect(await home.announced(prefix)).toHaveLength(2));
  again.child.kill("SIGINT");
  expect((await again.ended).err).not.toContain("renewed until");
  expect(await home.leaseLeftMs(prefix)).toBeLessThan(4 * hourMs);
});

test("what may not run says why, and announces nothing", async () => {
  const { path, prefix } = await home.experimentFile("long", "catchment: { after: 2h }");
  const { code, err } = await home.vantage("check", "--lease", "2h", path).ended;
  expect([code, err]).toEqual([1, expect.stringContaining("renew it first")]);
  const { path: other } = await home.experimentFile("elsewhere");
  await addAgent(home.probing.gateway, "east", { prefixes: ["2001:db8:1234::/48"] });
  const elsewhere = await home.vantage("run", other, ...home.runOptions).ended;
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("gives you no address in")]);
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
