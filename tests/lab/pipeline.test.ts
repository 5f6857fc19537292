/** A campaign at 20,000 probes/s, from the client's lines to the store's rows: nothing is lost without a counter. */
import { expect, test } from "bun:test";
import { inTier } from "../run/tier.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { Pipeline } from "./pipeline.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const rateProbesPerSec = 20_000;
const measurementId = "22222222-0000-4000-8000-000000000001";
/** Flows of the four hops that answer at once, kernels all. */
const flows = inTier({ usual: 15_000, long: 50_000 });
const ttls = [1, 2, 5, 7];

/** Counts time exceeded as it arrives at the agent's host, before any capture. */
const counterProgram = `
add table netdev count
add counter netdev count answers
add chain netdev count arrival { type filter hook ingress device "${interfaceTo("eastAccess")}" priority 0; }
add rule netdev count arrival icmp type time-exceeded counter name answers
`;

test(`${4 * flows} probes at 20,000 a second: a row for each answer that the routers sent`, async () => {
  await using net = await Internet.start(internet);
  await run(net.at("east", ["nft", "-f", "-"]), counterProgram);
  await using pipeline = await Pipeline.start(net, { probingRate: rateProbesPerSec });
  const client = [
    ...vantageCommand,
    "client",
    "--config",
    pipeline.clientConfig,
    "--measurement-id",
    measurementId,
  ];
  await run([...client, "--wait", "east:10.101.0.9"], probeLines());
  const counted = JSON.parse(await run(net.at("east", ["nft", "-j", "list", "counters"])));
  const answers = counterOf(counted);
  const rows = await rowsWhenSettled(pipeline, answers);
  const lost = await counter(net, "capture_dropped_total");
  // The kernel may drop from a full capture ring, and then it says so.
  expect({ rows: rows + lost, answers }).toEqual({ rows: answers, answers: flows * ttls.length });
});

function probeLines(): string {
  const lines: string[] = [];
  for (let flow = 0; flow < flows; flow++) {
    for (const ttl of ttls) {
      lines.push(`203.0.113.10,${10_000 + flow},33434,${ttl},UDP`);
    }
  }
  return `${lines.join("\n")}\n`;
}

interface Counters {
  readonly nftables: readonly { readonly counter?: { readonly packets: number } }[];
}

function counterOf({ nftables }: Counters): number {
  return nftables.find(({ counter }) => counter !== undefined)?.counter?.packets ?? 0;
}

const readMetrics = `console.log(await (await fetch("http://127.0.0.1:8080/metrics")).text())`;

async function counter(net: Internet, name: string): Promise<number> {
  const metrics = await run(net.at("east", [process.execPath, "-e", readMetrics]));
  const values = metrics.split("\n").filter((line) => line.startsWith(`vantage_agent_${name}{`));
  return values.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** The store is a few seconds behind; what is not there by then is not there. */
async function rowsWhenSettled(pipeline: Pipeline, expected: number): Promise<number> {
  const untilMs = Date.now() + 240_000;
  let rows = 0;
  while (rows < expected && Date.now() < untilMs) {
    await Bun.sleep(300);
    const loss = [
      ...vantageCommand,
      "replies",
      "-c",
      pipeline.clientConfig,
      "-v",
      "loss",
      "-o",
      "json",
      measurementId,
    ];
    const summary = JSON.parse((await run(loss).catch(() => "[]")) || "[]");
    rows = summary.reduce((sum: number, row: { replies: number }) => sum + row.replies, 0);
  }
  return rows;
}
