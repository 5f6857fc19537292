/**
 * An agent pings a host that answers echoes from another of its addresses: the answers are those of its probes, as for
 * a local ping, in what is shown and in what is stored.
 *
 * @tier long: a local ping tells the same (answers-elsewhere.test.ts)
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { run } from "./namespaces.ts";
import { Pipeline } from "./pipeline.ts";
import { internet } from "./topology.ts";

const [odd, other, agent] = ["203.0.113.10", "203.0.113.20", "east:10.101.0.9"] as const;

const rewriting = `
table ip odd {
  chain out {
    type filter hook postrouting priority 0;
    ip saddr ${odd} icmp type echo-reply ip saddr set ${other}
  }
}
`;

let net: Internet;
let pipeline: Pipeline;
beforeAll(async () => {
  net = await Internet.start(internet);
  pipeline = await Pipeline.start(net, { hasGateway: true });
  await logIn(pipeline, "anna", () => undefined);
  await run(net.at("target", ["nft", "-f", "-"]), rewriting);
});
afterAll(async () => {
  await pipeline?.[Symbol.asyncDispose]();
  await net?.stop();
});

/** A user's command where the stack is; its standard output. */
async function user(...args: string[]): Promise<string> {
  const child = Bun.spawn(pipeline.command([...vantageCommand, ...args]), {
    ...{ env: pipeline.environment, stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
  return await new Response(child.stdout).text();
}

const rowsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("from an agent", () => {
  test("a ping is answered, with both addresses and RTTs", async () => {
    const rows = rowsOf(await user("ping", "--from", agent, "-c", "3", "-o", "ndjson", odd));
    const seen = rows.map(({ address, from, outcome }) => ({ address, from, outcome }));
    expect(seen).toEqual(Array(3).fill({ address: odd, from: other, outcome: "answered" }));
    expect(rows.every(({ rtt_ms }) => rtt_ms !== null && rtt_ms < 2000)).toBe(true);
    const text = await user("ping", "--from", agent, "-c", "2", odd);
    expect(text.match(new RegExp(` ms from ${other}$`, "gm"))).toHaveLength(2);
  });

  test("what is stored has the probed address", async () => {
    const stored = rowsOf(await user("replies", "-v", "replies", "-o", "ndjson", "last"));
    const ends = stored.map(({ probe_dst_addr, reply_src_addr }) => [probe_dst_addr, reply_src_addr]);
    expect(ends).toEqual([
      [odd, other],
      [odd, other],
    ]);
    expect(rowsOf(await user("replies", "-v", "pings", "-o", "ndjson", "last"))).toMatchObject([
      { address: odd, sent: 2, answered: 2 },
    ]);
  });

  test("a trace ends there", async () => {
    const { reached, hops } = JSON.parse(
      await user("trace", "--from", agent, "-p", "icmp", "-o", "ndjson", odd),
    );
    expect([reached, hops.at(-1)?.routers[0].address]).toEqual([true, other]);
  });
});
