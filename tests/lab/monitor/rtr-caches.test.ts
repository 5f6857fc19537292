/** The collector's VRPs come from two StayRTRs: what they say, and what holds while one or both are away. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stayrtrCommand } from "../../exchange/stayrtr.ts";
import { until } from "../../exchange/until.ts";
import { bmpRouter, MonitorLab } from "./monitor-lab.ts";
import { told } from "./told.ts";

const limitMs = 120_000;
const ports = { first: 8282, second: 8283 } as const;
const names = { first: `127.0.0.1:${ports.first}`, second: `127.0.0.1:${ports.second}` } as const;
type Name = keyof typeof ports;

let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start();
});
afterAll(() => lab[Symbol.asyncDispose]());

const fileOf = (name: Name) => join(lab.folder, `${name}.json`);

/** A route of IPv6 behind several ASes. */
const route = told[3] ?? { prefix: "", asPath: [] };
const { prefix } = route;
const origin = route.asPath.at(-1) ?? 0;

function mayOriginate(name: Name, ...asns: readonly number[]): void {
  const roas = asns.map((asn) => ({ asn: `AS${asn}`, prefix, maxLength: 48, ta: "lab" }));
  writeFileSync(fileOf(name), JSON.stringify({ metadata: {}, roas }));
}

const serve = (name: Name) =>
  lab.beside(`stayrtr-${name}`, stayrtrCommand({ file: fileOf(name), port: ports[name] }));

/** What `vantage routes lookup` says of the route as FRR has heard it. */
async function validation(): Promise<string> {
  const paths = JSON.parse(await lab.lookup(prefix)) as {
    router: string;
    origin_validation: { state: string; cause: string | null; vrps: { asn: number }[] } | null;
  }[];
  const found = paths.find(({ router }) => router === bmpRouter)?.origin_validation;
  const asns = found?.vrps.map(({ asn }) => `AS${asn}`).sort() ?? [];
  return [found?.state ?? "unknown", ...(found?.cause ? [found.cause] : []), ...asns].join(" ");
}

const says = (words: string) => until(`"${words}"`, async () => (await validation()) === words, limitMs);
const valid = `valid AS${origin}`;
const invalid = "invalid origin AS64499";

interface Cache {
  readonly address: string;
  readonly state: string;
  readonly trouble: string | null;
  readonly is_used: boolean;
  readonly read_at: string | null;
}

async function caches(): Promise<{
  first: Cache;
  second: Cache;
  used: string | null;
  readAt: string | null;
}> {
  const { vrps } = JSON.parse(await lab.collectorStatus()) as {
    vrps: { read_at: string | null; caches: [Cache, Cache] };
  };
  const [first, second] = vrps.caches;
  const used = vrps.caches.find(({ is_used: isUsed }) => isUsed)?.address ?? null;
  return { first, second, used, readAt: vrps.read_at };
}

async function metric(name: string): Promise<number> {
  const value = (await lab.collectorMetrics())
    .split("\n")
    .find((line) => line.startsWith(`vantage_collector_${name} `))
    ?.split(" ")[1];
  return Number(value);
}

test(
  "a route is judged by the first cache, as it changes; while it is away by what it has said, then by the second",
  async () => {
    mayOriginate("first", origin);
    mayOriginate("second", origin, 64_499);
    const first = serve("first");
    await lab.startCollector(`{rtr: [{address: "${names.first}"}, {address: "${names.second}"}]}`);
    await lab.tell(() => true);
    await until("FRR's tables", async () => (await lab.pathsOf(bmpRouter)) === 2 * told.length, limitMs);
    await says(valid);
    expect(await caches()).toMatchObject({
      ...{ used: names.first, first: { state: "current" } },
      second: { state: "away", trouble: "nothing listens there" },
    });

    // The cache is asked once an hour: it notifies.
    mayOriginate("first", 64_499);
    await says(invalid);
    const { readAt } = await caches();
    expect(await metric("vrps")).toBe(1);

    await first[Symbol.asyncDispose]();
    await until("its end", async () => (await caches()).first.state === "away", limitMs);
    expect(await caches()).toMatchObject({ used: names.first, readAt });
    const ageSec = async () => Date.now() / 1000 - (await metric("vrps_read_timestamp_seconds"));
    const firstAgeSec = async () =>
      Date.now() / 1000 - Date.parse((await caches()).first.read_at ?? "") / 1000;
    const before = await ageSec();
    await until("a second of age", async () => (await ageSec()) > before + 1);
    expect(await validation()).toBe(invalid);
    expect(await metric(`rtr_up{cache="${names.first}"}`)).toBe(0);

    const second = serve("second");
    await says(`valid ${[`AS${origin}`, "AS64499"].sort().join(" ")}`);
    expect(await caches()).toMatchObject({ used: names.second, first: { state: "away", read_at: readAt } });
    expect(await metric(`rtr_vrps{cache="${names.second}"}`)).toBe(2);
    expect(await ageSec()).toBeLessThan(await firstAgeSec());

    // The preferred one again, as soon as it has said all: another run of it, with another session.
    serve("first");
    await says(invalid);
    expect(await caches()).toMatchObject({ used: names.first, second: { state: "current" } });
    await second[Symbol.asyncDispose]();
    await until("the second's end", async () => (await caches()).second.state === "away", limitMs);
    expect(await validation()).toBe(invalid);
  },
  4 * limitMs,
);
