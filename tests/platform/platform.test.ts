/** A user's day on the whole platform: a login, a campaign whose replies come back, a lease that becomes a route. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../exchange/until.ts";
import { hops } from "../executable/two-hops.ts";
import { leased, userAsn } from "./configurations.ts";
import { Platform } from "./platform.ts";

const limitMs = 60_000;
/** Namespaces. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
let running: Platform | null = null;

beforeAll(async () => {
  running = process.getuid?.() === 0 ? await Platform.start() : null;
  await running?.logIn();
});
afterAll(() => running?.[Symbol.asyncDispose]());

function platform(): Platform {
  if (running === null) {
    throw new Error("The platform is not started");
  }
  return running;
}

async function json<Answer>(args: readonly string[], input = ""): Promise<Answer> {
  return JSON.parse(await platform().user([...args, "-o", "json"], input));
}

interface Agent {
  readonly id: string;
  readonly state: string;
}

interface Reply {
  readonly probe_dst_addr: string;
  readonly probe_ttl: number;
  readonly reply_src_addr: string;
}

asRoot(
  "a campaign goes out by the agent, and all of its replies come back",
  async () => {
    await until("an agent that is well", async () => {
      const [west] = await json<Agent[]>(["agents"]);
      return west?.state === "healthy";
    });
    const targets = [hops[4][1], hops[6][1]];
    const lines = await platform().user(["probes", "--ttl", "1-2", "--flows", "2", ...targets]);
    expect(lines.trim().split("\n")).toHaveLength(8);
    const { measurement_id: id } = await json<{ measurement_id: string }>(
      ["send", "-a", "west", "--wait"],
      lines,
    );
    const replies = await until("the replies", async () => {
      const rows = await json<Reply[]>(["replies", id]);
      return rows.length >= 8 && rows;
    });
    const heard = replies.map((row) => [row.probe_dst_addr, row.probe_ttl, row.reply_src_addr].join(" "));
    const expected = ([4, 6] as const).flatMap((family) => {
      const [router, target] = hops[family];
      return [`${target} 1 ${router}`, `${target} 2 ${target}`];
    });
    expect(heard.sort()).toEqual([...expected, ...expected].sort());
  },
  limitMs,
);

asRoot(
  "a lease becomes a route at the exchange and beyond it, and its end takes the route away",
  async () => {
    const { exchange } = platform();
    expect(await exchange.exchangeHears(leased)).toBe(false);
    expect(await json<object>(["peering", "prefix", "request", "1"])).toMatchObject({ prefix: leased });
    expect(await json<object>(["peering", "asn"])).toMatchObject({ asn: userAsn });
    await until("the route at the upstream", () => exchange.upstreamHears(leased));
    await platform().user(["peering", "prefix", "release"]);
    await until("no route at the exchange", async () => !(await exchange.exchangeHears(leased)));
  },
  limitMs,
);
