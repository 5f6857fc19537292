/** Hops of more routers than any network has, as a malicious agent writes them: shown in part, and counted. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { inTier } from "../../run/tier.ts";
import { ResultsHome } from "./results-home.ts";

interface Hop {
  readonly ttl: number;
  readonly routers: readonly { readonly address: string }[];
  readonly more_routers?: number;
}

let database: EngineHome;
let home: ResultsHome;
beforeAll(async () => {
  database = await startEngine();
  home = await ResultsHome.start(database);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

/** A measurement of three TTLs, whose second one so many routers have answered, on so many flows. */
async function measured(routers: number, flows: number): Promise<string> {
  const id = await home.submit("anna", 3);
  const wide = Array.from({ length: routers }, (_, i) => ({
    ...{ ttl: 2, from: `100.64.${i >> 8}.${i & 255}`, srcPort: 24_000 + (i % flows) },
  }));
  await home.ingest(id, 3, [{ ttl: 1 }, ...wide, { ttl: 3 }]);
  await home.end(id, 600);
  return id;
}

async function hopsOf(id: string): Promise<readonly Hop[]> {
  const [path] = (await home.rows("anna", `/api/measurements/${id}/paths`)) as { hops?: readonly Hop[] }[];
  return path?.hops ?? [];
}

const shape = (hops: readonly Hop[]) =>
  hops.map(({ ttl, routers, more_routers: more }) => [ttl, routers.length, more]);

test.each([
  [256, 1, 256, undefined],
  [300, 300, 256, 44],
  ...inTier<readonly (readonly [number, number, number, number])[]>({
    usual: [],
    long: [
      [300, 1, 256, 44],
      [5000, 1, 256, 4744],
      [5000, 5000, 16, 4984],
    ],
  }),
])(
  "of %d routers on %d flows %d are listed, and drawn; %p more are counted",
  async (count, flows, listed, more) => {
    const id = await measured(count, flows);
    expect(shape(await hopsOf(id))).toEqual([
      [1, 1, undefined],
      [2, listed, more],
      [3, 1, undefined],
    ]);
    const csv = await (await home.get("anna", `/api/measurements/${id}/paths?format=csv`)).text();
    const [names = "", first = "", second = ""] = csv.split("\n");
    expect(names.split(",").at(-1)).toBe("more_routers");
    expect([first, second].map((line) => line.split(",").at(-1))).toEqual(["", String(more ?? "")]);
    const picture = await (await home.get("anna", `/api/measurements/${id}/paths?format=svg`)).text();
    const said = ` Drawn: ${listed} of ${count.toLocaleString("en")} routers at TTL 2.`;
    expect(picture.includes(said)).toBe(more !== undefined);
    expect(picture.length).toBeLessThan(200_000);
  },
);
