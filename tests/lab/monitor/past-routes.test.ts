/** Routes at earlier times: what BIRD had in its tables at each moment is what the collector says of it later. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { MonitorLab, mrtRouter } from "./monitor-lab.ts";
import { told } from "./told.ts";

const turns = 14;
/** Turns of which the flap happens while the collector is dead. */
const deadTurns = [5, 10];
const restartTurn = 8;

let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start();
});
afterAll(() => lab[Symbol.asyncDispose]());

const prefixesNow = async () => (await lab.birdPrefixes()).toSorted();

/** Prefixes that the collector has of BIRD at a time, or now, from one lookup for each family. */
async function prefixesAt(at: string | null): Promise<string[]> {
  const then = at === null ? [] : ["--at", at];
  const found: string[] = [];
  for (const all of ["0.0.0.0/0", "::/0"]) {
    const text = await lab.routes("lookup", all, "--more", ...then, "-o", "json").catch(() => "[]");
    const routes = JSON.parse(text) as { router: string; prefix: string }[];
    found.push(...routes.flatMap(({ router, prefix }) => (router === mrtRouter ? [prefix] : [])));
  }
  return found.toSorted();
}

const isSame = (a: readonly string[], b: readonly string[]) => a.join() === b.join();

test("at each moment of a run with flaps, a lost session and two kills, lookups are what birdc showed", async () => {
  await lab.startCollector();
  const moments: { at: string; prefixes: string[] }[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const isDead = deadTurns.includes(turn);
    if (isDead) {
      await lab.killCollector();
    }
    const isTold = (i: number) => (i * 7 + turn * 3) % 5 > 1;
    const expected = told.flatMap(({ prefix }, i) => (isTold(i) ? [prefix] : [])).toSorted();
    await lab.tell(isTold);
    if (turn === restartTurn) {
      await lab.restartSessions();
    }
    await until("BIRD's table", async () => isSame(await prefixesNow(), expected));
    const settledMs = Date.now();
    if (isDead) {
      // BIRD writes whole seconds.
      await until("the next second", () => Date.now() > settledMs + 1000);
    } else {
      await until("the collector", async () => isSame(await prefixesAt(null), expected));
    }
    moments.push({ at: new Date().toISOString(), prefixes: await prefixesNow() });
    if (isDead) {
      await lab.startCollector();
      await until("the collector", async () => isSame(await prefixesAt(null), expected));
    }
  }
  expect(new Set(moments.map(({ prefixes }) => prefixes.join())).size).toBeGreaterThan(2);
  const later = [];
  for (const { at } of moments) {
    later.push({ at, prefixes: await prefixesAt(at) });
  }
  expect(later).toEqual(moments);
});
