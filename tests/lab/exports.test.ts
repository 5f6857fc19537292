/**
 * Probes of TTL 1 to 32 through a gateway, and what foreign readers find in the files: paths that end where `-v paths`
 * says, and targets that nothing answers, with the time, source and size of their probes.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { longTest } from "../run/long-test.ts";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { Pipeline } from "./pipeline.ts";
import { targetAddress } from "./responder/scenario.ts";
import { internet } from "./topology.ts";

const source = "10.101.0.9";
const answering = ["203.0.113.10", targetAddress(10).v4];
/** It answers nothing, and from this TTL on no router does. */
const silent = targetAddress(18).v4;
const silentTtls = [30, 32] as const;
const flows = 2;

let net: Internet;
let pipeline: Pipeline;

beforeAll(async () => {
  net = await Internet.start(internet);
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
  // A trace or ping that reaches nothing ends with 3.
  if (exitCode !== 0 && exitCode !== 3) {
    throw new Error(`vantage ${args.join(" ")}: ${stderr}`);
  }
  return stdout;
}

/** Resolves when all its answers are in the store. */
async function sent(...probes: string[]): Promise<string> {
  const lines = await user(["probes", "--flows", String(flows), ...probes]);
  const { measurement_id: id } = JSON.parse(
    await user(["send", "-a", `east:${source}`, "-o", "json"], lines),
  );
  await until("the end of the measurement", async () => {
    const { status, agents } = JSON.parse(await user(["show", id, "-o", "json"]));
    const loss = await user(["replies", "-v", "loss", "-o", "json", id]).catch(() => "[]");
    const stored = (JSON.parse(loss) as { replies: number }[]).reduce((all, { replies }) => all + replies, 0);
    return status === "complete" && stored === agents[0].received_replies;
  });
  return id;
}

async function written(id: string, form: string): Promise<string> {
  const file = join(pipeline.folder, `results.${form}`);
  const command = pipeline.command([...vantageCommand, "replies", "-o", form, id]);
  const child = Bun.spawn(command, { env: pipeline.environment, stdout: "pipe", stderr: "inherit" });
  await Bun.write(file, await new Response(child.stdout).arrayBuffer());
  expect(await child.exited).toBe(0);
  return file;
}

/** Fields of each line of `sc_analysis_dump`: destination, whether it replied, the TTL that it replied to. */
async function dumped(file: string) {
  const { stdout } = await runToEnd(["sc_analysis_dump", file]);
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("T\t"))
    .map((line) => line.split("\t"))
    .map((fields) => ({ dst: fields[2], isReplied: fields[6] === "R", hopDistance: Number(fields[8]) }));
}

test("probes, send, replies -o warts, sc_analysis_dump: the distance is that of -v paths", async () => {
  const id = await sent("--ttl", "1-32", ...answering);
  const lines = await dumped(await written(id, "warts"));
  expect(lines).toHaveLength(flows * answering.length);
  const texts = (await user(["replies", "-v", "paths", id])).split("\n\n");
  for (const dst of answering) {
    const text = texts.find((one) => one.includes(dst)) ?? "";
    const hops = Number(/Reached in (\d+) hops/.exec(text)?.[1]);
    expect(hops).toBeGreaterThan(1);
    const own = lines.filter((line) => line.dst === dst);
    expect(own).toEqual(Array.from({ length: flows }, () => ({ dst, isReplied: true, hopDistance: hops })));
  }
});

longTest(
  "what nothing answers has the time, source and size of its probes, stored and from --from",
  async () => {
    const firstSec = Math.floor(Date.now() / 1000);
    const [first, last] = silentTtls;
    const id = await sent("--ttl", `${first}-${last}`, silent);
    const line = (await Bun.file(await written(id, "atlas")).text()).split("\n")[0] ?? "";
    const from = ["--from", `east:${source}`, "-o", "atlas"];
    const trace = ["--first-ttl", `${first}`, "-m", `${last}`, "-q", "1", "--flows", "1"];
    const traced = await user(["trace", ...from, "-p", "udp", ...trace, silent]);
    const pinged = await user(["ping", ...from, "-p", "udp", "-c", "1", "--ttl", `${last}`, silent]);
    for (const text of [line, traced, pinged]) {
      // Its size is without the headers of IP and UDP: 2 bytes, the tag of 8, and a byte for each TTL.
      const found = JSON.parse(text);
      expect(found).toMatchObject({ src_addr: source, dst_addr: silent, size: 2 + 8 + last });
      expect(found.timestamp).toBeGreaterThanOrEqual(firstSec);
      expect(found.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    }
  },
);
