/** Two RPKI caches: either alone is enough, what either has counts, and operators see both. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStatus } from "../../../apps/peering/exchange/status.ts";
import { serve } from "../../../lib/engines/http/serve.ts";
import { labBirds } from "../../exchange/birds.ts";
import { until } from "../../exchange/until.ts";
import { vrp, vrps } from "./configurations.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";
import { rtrServers } from "./rtr-server.ts";

const invalid = plan.farPrefix(0);
const plain = plan.farPrefix(9);

describe.each(labBirds)("BIRD $version", ({ version, program }) => {
  let lab: ExchangeLab;

  beforeAll(async () => {
    lab = await ExchangeLab.start({ withSecondCache: true, bird: { version, program } });
    await until("both caches", async () => (await caches()).every(({ state }) => state === "Established"));
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  /** As `vantage exchange status` shows them. */
  async function caches() {
    const { app } = lab.service;
    await using server = serve((request, connection) => app.fetch(request, connection), {
      host: "127.0.0.1",
      port: 0,
    });
    const rows = (await readStatus(server.url)).filter(({ session }) => session.peer_asn === null);
    return rows.map(({ session: { address, state }, explanation }) => ({ address, state, explanation }));
  }

  async function answered(cache: string): Promise<number | null> {
    const response = await lab.service.app.request("/metrics", {}, { remoteAddress: "127.0.0.1" });
    const line = new RegExp(`^vantage_policy_rpki_answered_timestamp_seconds{cache="${cache}"} (.+)$`, "m");
    const value = line.exec(await response.text())?.[1];
    return value === undefined ? null : Number(value);
  }

  test("both are shown, with what they hold and how old it is; users see neither", async () => {
    const shown = await caches();
    expect(shown.map(({ address }) => address)).toEqual([
      "127.0.0.1:8282",
      `127.0.0.1:${plan.secondCachePort}`,
    ]);
    for (const { explanation } of shown) {
      expect(explanation).toMatch(/^RPKI cache(_second)?: 7 ROAs, \d+ s old$/);
    }
    const body = await (await lab.status("100.64.0.12")).json();
    expect(body).toMatchObject({ caches: [] });
  });

  test("what only the second one has counts", async () => {
    await until("the route", () => lab.birds.two.hears(plain));
    writeFileSync(join(lab.folder, rtrServers.second.file), vrps([vrp(64_511, plain)]));
    await until("no route", async () => !(await lab.birds.two.hears(plain)));
  });

  test("without the first one nothing changes but its own state, which grows old", async () => {
    await lab.firstCache?.[Symbol.asyncDispose]();
    await until("its end", async () => (await caches())[0]?.state !== "Established");
    expect((await caches())[1]?.state).toBe("Established");
    expect(await lab.birds.two.hears(invalid)).toBe(false);
    expect(await lab.birds.two.hears(plain)).toBe(false);
    writeFileSync(join(lab.folder, rtrServers.second.file), vrps());
    await until("the route, as the second says now", () => lab.birds.two.hears(plain));
    await until("the time of the second's answer in the metrics", async () => {
      const [first, second] = [await answered("cache"), await answered("cache_second")];
      return first !== null && second !== null && second > first && Math.abs(second - Date.now() / 1000) < 60;
    });
  });
});
