/** Equal probes to one hop, answered once, twice or not at all: what is stored counts each probe once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { Pipeline } from "./pipeline.ts";
import { hopAddress, targetAddress } from "./responder/scenario.ts";
import { expectedSteps } from "./routing.ts";
import { internet } from "./topology.ts";

const testMs = 600_000;
const source = "10.101.0.9";
const probes = 200;
const hopTtl = expectedSteps(internet, "east", "virtual").length + 1;

let net: Internet;
let pipeline: Pipeline;
beforeAll(async () => {
  net = await Internet.start(internet);
  // So fast that many leave in each tick of 0.1 ms.
  pipeline = await Pipeline.start(net, { probingRate: 100_000 });
}, testMs);
afterAll(async () => {
  await pipeline?.[Symbol.asyncDispose]();
  await net?.stop();
}, testMs);

async function vantage(...words: string[]): Promise<string> {
  return await run([...vantageCommand, ...words], "");
}

/** Sends equal probes, and waits for so many answers. */
async function measured(target: number, ttl: number, answers: number): Promise<string> {
  const id = crypto.randomUUID();
  const lines = `${targetAddress(target).v4},24000,33434,${ttl},UDP\n`.repeat(probes);
  const client = [...vantageCommand, "client", "-c", pipeline.clientConfig, "--measurement-id", id];
  await run([...client, "--wait", `east:${source}`], lines);
  for (const untilMs = Date.now() + 60_000; Date.now() < untilMs; await Bun.sleep(200)) {
    const [row] = await rows<{ readonly replies: number }>("loss", id);
    if ((row?.replies ?? 0) >= answers) {
      break;
    }
  }
  return id;
}

async function rows<Row>(view: string, id: string): Promise<Row[]> {
  return JSON.parse(await vantage("replies", "-c", pipeline.clientConfig, "-v", view, "-o", "json", id));
}

test(
  "each second probe answered twice is a loss of half, in every view",
  async () => {
    const id = await measured(25, hopTtl, probes);
    const half = { submitted: probes, answered: probes / 2 };
    const [lost, duplicates] = [probes / 2, probes / 2];
    expect(await rows("loss", id)).toMatchObject([{ ...half, lost, loss_percent: 50, duplicates }]);
    expect(await rows("series", id)).toMatchObject([{ ...half, loss_percent: 50, duplicates }]);
    const router = { address: hopAddress(27).v4, probes, answered: probes / 2, loss_percent: 50 };
    expect(await rows("paths", id)).toMatchObject([
      { probes: { ...half, lost, duplicates }, hops: [{ ttl: hopTtl, routers: [router] }] },
    ]);
    const drawn = await vantage("replies", "-c", pipeline.clientConfig, "-v", "paths", id);
    expect(drawn).toContain(
      `${probes} probes submitted, ${lost} answered, ${lost} without answer; ${duplicates} duplicate answers`,
    );
  },
  testMs,
);

test(
  "a ping counts a destination's duplicates apart",
  async () => {
    const id = await measured(25, 64, probes);
    const counts = { sent: probes, answered: probes / 2, duplicates: probes / 2, answers: probes };
    expect(await rows("pings", id)).toMatchObject([counts]);
  },
  testMs,
);

test(
  "equal probes never leave in one tick, so all of those that are answered count",
  async () => {
    const id = await measured(10, hopTtl, probes);
    const none = { answered: probes, lost: 0, replies: probes, duplicates: 0 };
    expect(await rows("loss", id)).toMatchObject([none]);
  },
  testMs,
);
