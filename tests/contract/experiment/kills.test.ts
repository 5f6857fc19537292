/**
 * An experiment at three gateways, of which the one that runs it is killed at each of its steps: no action is repeated,
 * none is lost. When all are gone, the prefix is withdrawn two intervals after its last renewal.
 *
 * @alone: it starts and kills several gateways
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ExperimentHome } from "./experiment-home.ts";
import { targets } from "./played-agents.ts";

let home: ExperimentHome;
const gateways = new Map<string, GatewayProcess>();

beforeAll(async () => {
  home = await ExperimentHome.start();
  // It serves; the others run what it stores.
  await home.probing.gateway.services.campaigns[Symbol.asyncDispose]();
  await Promise.all(["one", "two", "three"].map(start));
});
afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.kill()));
  await home?.[Symbol.asyncDispose]();
});

async function start(name: string): Promise<void> {
  const { folder, store, database, peering, secretKey } = home.places;
  const more = [`store: { address: "${store}" }`];
  const frame = `, peering_gateway: "${peering}", secret_key: "${secretKey}"`;
  const preload = join(folder, `${name}-clock.ts`);
  writeFileSync(preload, `const now = Date.now; Date.now = () => now() + ${aheadMs[name] ?? 0};`);
  const runner = ["env", `BUN_OPTIONS=--preload=${preload}`];
  gateways.set(name, await GatewayProcess.startIn(folder, name, database, more, frame, runner));
}

/** How far their clocks are off. */
const aheadMs: Readonly<Record<string, number>> = { two: 4000, three: -4000 };

interface Entry {
  readonly kind: string;
  readonly action?: number;
  readonly event?: { readonly event: string; readonly subject: string; readonly timeNs: string };
}

const entries = async (name: string) => (await home.journal(name)).map((line) => JSON.parse(line) as Entry);

/** Kills the gateway that runs it, and starts it again. */
async function killRunner(experiment: string): Promise<void> {
  const last = (await entries(experiment)).findLast(({ event }) => event?.event === "gateway");
  const name = [...gateways.keys()].find((one) => {
    const path = join(home.places.folder, one, "gateway.id");
    return existsSync(path) && readFileSync(path, "utf8").trim() === last?.event?.subject;
  });
  if (name === undefined) {
    throw new Error(`No gateway runs ${experiment}`);
  }
  await gateways.get(name)?.kill();
  await start(name);
}

test("whichever is killed at whichever step, each action is done once", async () => {
  const { path, prefix, name } = await home.experimentFile("killed");
  await home.played(async (agents) => {
    const before = await home.changesLeft();
    const run = home.vantage("run", path, ...home.runOptions);
    const steps = ['"kind":"asked","action":0', '"kind":"done","action":1', '"kind":"asked","action":2'];
    for (const step of [...steps, '"kind":"round","round":0', '"kind":"asked","action":3']) {
      await eventually(async () => expect((await home.journal(name)).join()).toContain(step));
      // Who follows it sleeps from here on.
      run.child.kill("SIGSTOP");
      await killRunner(name);
    }
    await eventually(async () => expect((await home.kept(name)).state).toBe("ended"));
    run.child.kill("SIGCONT");
    expect((await run.ended).err).toContain("Ended: finished");
    expect(agents.sent).toEqual([targets, targets]);
    expect(await home.changesLeft()).toBe(before - 2);
  });
  expect(await home.announced(prefix)).toEqual([]);
  const all = await entries(name);
  const done = all.filter(({ kind }) => kind === "done").map(({ action }) => action);
  expect(done.toSorted()).toEqual([0, 1, 2, 3]);
  const runners = all.filter(({ event }) => event?.event === "gateway");
  expect(runners.length).toBeGreaterThanOrEqual(4);
  expect(all.filter(({ event }) => event?.event === "lapsed")).toEqual([]);
  const takenNs = runners.map(({ event }) => Number(event?.timeNs));
  expect(takenNs).toEqual(takenNs.toSorted((a, b) => a - b));
});

test("an aim is planned once for each round, whichever is killed while it plans or looks", async () => {
  // In the first round three of four targets are at west, from then on two.
  const { path, prefix, name } = await home.aimFile("aimed", "ixp-1: 50 %", "ixp-2: at most 60 %");
  await home.played(async (agents) => {
    const run = home.vantage("aim", path, ...home.runOptions, "-o", "json");
    const steps = ['"kind":"planned"', '"kind":"asked","action":1', '"kind":"round","round":0'];
    for (const step of steps) {
      await eventually(async () => expect((await home.journal(name)).join()).toContain(step));
      await killRunner(name);
    }
    const { out, err, code } = await run.ended;
    expect(err).toContain("Ended: goals met in round 1");
    expect(code).toBe(0);
    expect(agents.sent).toEqual([targets, targets]);
    const rows: { round: number; goal: string; measured: number; is_met: boolean }[] = JSON.parse(out);
    expect(rows.map(({ round, goal, measured, is_met }) => [round, goal, measured, is_met])).toEqual([
      [0, "ixp-1: 50 %", 0.75, false],
      [0, "ixp-2: at most 60 %", 0.25, true],
      [1, "ixp-1: 50 %", 0.5, true],
      [1, "ixp-2: at most 60 %", 0.5, true],
    ]);
  });
  expect(await home.announced(prefix)).toEqual([]);
  const all = await entries(name);
  expect(all.filter(({ kind }) => kind === "planned")).toHaveLength(2);
  const done = all.filter(({ kind }) => kind === "done").map(({ action }) => action ?? -1);
  expect(done.toSorted((a, b) => a - b)).toEqual([...new Set(done)].sort((a, b) => a - b));
  expect(all.filter(({ kind }) => kind === "round")).toHaveLength(2);
  // Its journal imports, with what was planned.
  const folder = mkdtempSync(join(tmpdir(), "vantage-import-"));
  writeFileSync(join(folder, "journal.ndjson"), `${(await home.journal(name)).join("\n")}\n`);
  expect((await home.vantage("remove", name).ended).code).toBe(0);
  expect((await home.vantage("import", folder).ended).code).toBe(0);
  rmSync(folder, { recursive: true });
  expect((await entries(name)).filter(({ kind }) => kind === "planned")).toHaveLength(2);
});

test("without any of them the prefix is withdrawn within two intervals, and goes on when one is back", async () => {
  const { path, prefix, name } = await home.experimentFile("abandoned", "catchment: { after: 300 }");
  await home.vantage("run", path, "-d", ...home.runOptions).ended;
  await eventually(async () => expect(await home.announced(prefix)).toHaveLength(2));
  await Promise.all([...gateways.values()].map((gateway) => gateway.kill()));
  await eventually(async () => expect(await home.announced(prefix)).toEqual([]));
  await start("one");
  await eventually(async () => expect(await home.announced(prefix)).toHaveLength(2));
  await home.vantage("stop", name).ended;
  await eventually(async () => expect(await home.announced(prefix)).toEqual([]));
});
