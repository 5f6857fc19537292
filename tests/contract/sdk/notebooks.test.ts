/**
 * The notebooks of the Python SDK, run cell by cell in Jupyter's kernel against a gateway with a store. Each prints
 * what the file holds. To keep other outputs: `VANTAGE_NOTEBOOKS=write bun test tests/contract/sdk/notebooks.test.ts`.
 *
 * @tier long: a Jupyter of its own, and minutes; sdk.test.ts runs the cookbook's recipes by the same calls
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { ReplyGiven } from "../client/store-rows.ts";
import { probeOf, replyOf } from "../probing-gateway-reads/results-home.ts";
import { PythonSdk } from "./python-sdk.ts";
import { SdkHome } from "./sdk-home.ts";

const folder = join(import.meta.dirname, "../../../lib/engines/sdk/python/notebooks");
const packages = ["nbclient==0.11.0", "ipykernel==7.4.0", "matplotlib==3.11.2"] as const;
const hourMs = 3_600_000;

let sdk: PythonSdk;
let home: SdkHome;

beforeAll(async () => {
  sdk = await PythonSdk.install(...packages);
  home = await SdkHome.start("https://pages.example");
}, 600_000);
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  sdk?.[Symbol.dispose]();
});

interface Run {
  readonly seen: readonly (readonly [string, string][])[];
  readonly kept: Run["seen"];
  readonly pictures: number;
}

async function run(user: string, name: string, parameters: Readonly<Record<string, string>>): Promise<Run> {
  const write = process.env.VANTAGE_NOTEBOOKS === "write" ? ["write"] : [];
  const script = join(import.meta.dirname, "notebook.py");
  const args = [script, join(folder, `${name}.ipynb`), JSON.stringify(parameters), ...write];
  const token = await home.token(user, ["measurements:read", "sql:read"]);
  const env = { VANTAGE_GATEWAY: home.address, VANTAGE_TOKEN: token, IPYTHONDIR: sdk.folder };
  return JSON.parse((await sdk.run(args, env)).trim()) as Run;
}

/** A measurement of this user with these replies; each belongs to a probe of its own. */
async function measured(user: string, replies: readonly Partial<ReplyGiven>[]): Promise<string> {
  const { results } = home;
  const id = await results.submit(user, 1, "west,east");
  const whole = replies.map((reply) => ({ ...replyOf(id, 1), ...reply }));
  await results.store.insertProbes(
    whole.map(({ destination, srcPort, ttl, sender = "west/1" }, index) => {
      const [agent = ""] = sender.split("/");
      return { ...probeOf(id, index), agent, destination, srcPort, ttl };
    }),
  );
  await results.store.insertReplies(whole);
  await results.end(id, 60);
  return id;
}

test("RTT over a week: one row an hour, and the step of two days ago", async () => {
  const thisHourMs = Math.floor(Date.now() / hourMs) * hourMs;
  const hours = Array.from({ length: 144 }, (_, ago) => ago);
  const replies = hours.flatMap((ago) =>
    [0, 1, 2, 3].map((k): Partial<ReplyGiven> => {
      const rttTenthMs = 200 + (ago < 48 ? 80 : 0) + 2 * (ago % 12) + k;
      const timeMs = thisHourMs - ago * hourMs - 60_000 * (1 + k);
      return { ttl: 64, from: "203.0.113.9", icmp: [0, 0], rttTenthMs, timeMs };
    }),
  );
  await measured("ann", replies);
  const { seen, kept, pictures } = await run("ann", "rtt-over-a-week", {
    agent: "west",
    destination: "203.0.113.9",
  });
  expect(seen).toEqual(kept);
  expect(seen.flat().map(([, text]) => text)).toContainEqual(expect.stringMatching(/48 hours ago\n$/));
  expect(pictures).toBe(1);
});

test("catchment: what each site received of each site's probes", async () => {
  const replies = Array.from({ length: 60 }, (_, k): Partial<ReplyGiven> => {
    const destination = `203.0.113.${k + 1}`;
    const sender = k % 2 === 0 ? "west/1" : "east/1";
    return {
      destination,
      from: destination,
      sender,
      agent: k % 3 === 0 ? "east" : "west",
      ttl: 64,
      icmp: [0, 0],
    };
  });
  const measurement = await measured("bob", replies);
  const { seen, kept, pictures } = await run("bob", "catchment", { measurement });
  expect(seen).toEqual(kept);
  expect(pictures).toBe(1);
});

test("links that vanished: which, and what replaces them", async () => {
  const path = (k: number, third: string): Partial<ReplyGiven>[] =>
    ["198.51.100.1", "198.51.100.2", third, `203.0.113.${k}`].map((from, i) => ({
      ...{ destination: `203.0.113.${k}`, ttl: i + 1, from },
      ...(i === 3 ? { icmp: [3, 3] as const } : {}),
    }));
  const destinations = [1, 2, 3, 4];
  const before = await measured(
    "carol",
    destinations.flatMap((k) => path(k, "198.51.100.3")),
  );
  const after = await measured(
    "carol",
    destinations.flatMap((k) => path(k, "198.51.100.7")),
  );
  const { seen, kept } = await run("carol", "links-that-vanished", { before, after });
  expect(seen).toEqual(kept);
});
