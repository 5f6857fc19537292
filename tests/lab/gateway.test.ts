/** A campaign through the gateway: the user's counts equal those on the wire. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { longTest } from "../run/long-test.ts";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { run } from "./namespaces.ts";
import { Pipeline } from "./pipeline.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

/** Counts probes where they enter the network. */
const counterProgram = `
add table netdev count
add counter netdev count probes
add chain netdev count arrival { type filter hook ingress device "${interfaceTo("east")}" priority 0; }
add rule netdev count arrival udp dport 33434 counter name probes
`;

let net: Internet;
let pipeline: Pipeline;

beforeAll(async () => {
  net = await Internet.start(internet);
  await run(net.at("eastAccess", ["nft", "-f", "-"]), counterProgram);
  pipeline = await Pipeline.start(net, { hasGateway: true });
  await logIn(pipeline, "anna", () => undefined);
});
afterAll(async () => {
  await pipeline?.[Symbol.asyncDispose]();
  await net?.stop();
});

/** A user's command where the stack is; its standard output. */
async function user(args: readonly string[], stdin = ""): Promise<string> {
  const { stdout, stderr, exitCode } = await runToEnd(pipeline.command([...vantageCommand, ...args]), {
    env: pipeline.environment,
    stdin: Buffer.from(stdin),
  });
  if (exitCode !== 0) {
    throw new Error(`vantage ${args.join(" ")}: ${stderr}`);
  }
  return stdout;
}

async function send(flows: number, target: string): Promise<string> {
  const lines = Array.from({ length: flows }, (_, flow) =>
    [1, 2, 3, 7].map((ttl) => `203.0.113.10,${20_000 + flow},33434,${ttl},UDP\n`).join(""),
  );
  return JSON.parse(await user(["send", "-a", target, "-o", "json"], lines.join(""))).measurement_id;
}

async function sentOnWire(): Promise<number> {
  const text = await run(net.at("eastAccess", ["nft", "-j", "list", "counters"]));
  const { nftables } = JSON.parse(text) as { nftables: { counter?: { packets: number } }[] };
  return nftables.find(({ counter }) => counter !== undefined)?.counter?.packets ?? 0;
}

interface Shown {
  readonly status: string;
  readonly agents: readonly { readonly sent_probes: number; readonly received_replies: number }[];
}
const show = async (id: string): Promise<Shown> => JSON.parse(await user(["show", id, "-o", "json"]));
const used = async (): Promise<number> => JSON.parse(await user(["whoami", "-o", "json"])).used;

test("each probe accepted is on the wire, each answer is streamed while more come, and the quota fits", async () => {
  const id = await send(1000, "east:10.101.0.9");
  const child = Bun.spawn(pipeline.command([...vantageCommand, "follow", "-o", "ndjson", id]), {
    ...{ env: pipeline.environment, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  let text = "";
  let statusAtFirst = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (statusAtFirst === "") {
      statusAtFirst = (await show(id)).status;
    }
  }
  expect(await child.exited).toBe(0);
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  // The first answers may be here before the agent has said that it sends.
  expect(["queued", "running"]).toContain(statusAtFirst);
  expect(rows).toHaveLength(4000);
  expect(new Set(rows.map(({ probe_src_port, probe_ttl }) => `${probe_src_port} ${probe_ttl}`)).size).toBe(
    4000,
  );
  expect(await sentOnWire()).toBe(4000);
  expect(await show(id)).toMatchObject({
    status: "complete",
    agents: [{ sent_probes: 4000, received_replies: 4000 }],
  });
  expect(await used()).toBe(4000);
});

longTest("a campaign that is cancelled stops, and what was not sent is given back", async () => {
  const [wireBefore, usedBefore] = [await sentOnWire(), await used()];
  const id = await send(1000, "east:10.101.0.9");
  while ((await sentOnWire()) - wireBefore < 200) {
    await Bun.sleep(20);
  }
  await user(["cancel", id]);
  // Until what the agent says of it is what left, and what is charged.
  let counts = [-1, 0, 0];
  while (new Set(counts).size > 1) {
    const sent = (await show(id)).agents[0]?.sent_probes ?? 0;
    counts = [sent, (await sentOnWire()) - wireBefore, (await used()) - usedBefore];
    await Bun.sleep(50);
  }
  expect(counts[0]).toBeLessThan(4000);
  expect((await show(id)).status).toBe("cancelled");
});
