/** Paths that ASPA calls invalid are refused from outside, and come back when they are not: by each newer BIRD. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { birdVersionOf, knowsAspa } from "../../../lib/peering/bird/version.ts";
import { allSteadyBirds } from "../../exchange/birds.ts";
import { Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const { prefix, by } = plan.detour;
const other = 64_497;
const able = allSteadyBirds.filter(({ version }) => knowsAspa(birdVersionOf(version) ?? [0, 0, 0]));

for (const bird of able) {
  describe(`BIRD ${bird.version}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "vantage-aspa-"));
    const file = join(folder, "aspa.json");
    let lab: ExchangeLab;
    let cache: Daemon;

    const set = (objects: readonly (readonly [customer: number, providers: readonly number[]])[]) => {
      writeFileSync(`${file}.new`, JSON.stringify(objects));
      renameSync(`${file}.new`, file);
    };
    const refusedBy = async () => (await lab.outside(plan.upstreamAsn))?.refused_by ?? {};
    const hears = () => lab.birds.exchange.hears(prefix);

    beforeAll(async () => {
      set([]);
      lab = await ExchangeLab.start({ withSecondCache: true, withAspa: true, bird });
      const program = [process.execPath, join(import.meta.dirname, "aspa-cache.ts")];
      cache = new Daemon(
        "aspa-cache",
        folder,
        lab.net.at("exchange", [...program, String(plan.secondCachePort), file]),
      );
    });
    afterAll(async () => {
      await cache?.[Symbol.asyncDispose]();
      await lab?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    });

    test("a path is refused that goes up, down and up again, and no other", async () => {
      await until("the detour", hears);
      // Neither the far AS nor the upstream has the detour as its provider.
      set([
        [plan.farAsn, [other]],
        [plan.upstreamAsn, [other]],
      ]);
      await until("no detour", async () => !(await hears()));
      await until("its reason", async () => (await refusedBy()).pathInvalid === 1);
      expect(await lab.birds.exchange.hears(plan.farPrefix(9))).toBe(true);
      // The ROAs are those of the other cache, which knows nothing of ASPA.
      expect(await lab.birds.exchange.hears(plan.farPrefix(0))).toBe(false);
      set([
        [plan.farAsn, [by]],
        [plan.upstreamAsn, [other]],
      ]);
      await until("the detour again", hears);
      await until("nothing refused for its path", async () => (await refusedBy()).pathInvalid === undefined);
    });
  });
}

test.skipIf(able.length > 0)("a BIRD that knows ASPA could not be had", () => {});
