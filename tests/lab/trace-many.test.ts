/**
 * Traces to many targets by two agents of a gateway: what each result must have is known from the drawing, so no result
 * that was cut off passes as whole.
 *
 * @tier long: trace-from.test.ts has the same of one target
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { Pipeline } from "./pipeline.ts";
import { expectedSteps, identity, nodeNamed } from "./routing.ts";
import { internet, type Topology } from "./topology.ts";

const targetsCount = 1000;
const flows = 8;
const queries = 2;
const agents = ["west", "east"] as const;
/** Each address of the prefix is the target host's own. */
const local = { v4: "198.18.0.0/22", v6: "2001:db8:1800::/62" };
const topology: Topology = {
  ...internet,
  nodes: internet.nodes.map((node) => (node.name === "target" ? { ...node, local } : node)),
};
const targets = Array.from({ length: targetsCount }, (_, i) => `198.18.${i >> 8}.${i & 255}`);

interface Trace {
  readonly agent: string;
  readonly target: string;
  readonly complete: boolean;
  readonly reached: boolean;
  readonly hops: readonly {
    readonly ttl: number;
    readonly routers: readonly { readonly address: string | null; readonly answered: number }[];
  }[];
}

let net: Internet;
let pipeline: Pipeline;

beforeAll(async () => {
  net = await Internet.start(topology);
  pipeline = await Pipeline.start(net, { hasGateway: true, probingRate: 5000, probesPerDay: 2_000_000 });
  await logIn(pipeline, "anna", () => undefined);
});
afterAll(async () => {
  await pipeline?.[Symbol.asyncDispose]();
  await net?.stop();
});

/** What a trace lacks of the drawn path: each hop answers each flow as often as it was asked, silent ones never. */
function lacks({ agent, target, complete, reached, hops }: Trace): string[] {
  const steps = expectedSteps(topology, agent, "target");
  const wrong = steps.flatMap((names, i) => {
    const nodes = names.map((name) => nodeNamed(topology, name)).filter(({ silent }) => silent !== true);
    const expected = i === steps.length - 1 ? [target] : nodes.map((node) => identity(node).v4);
    const routers = hops.find(({ ttl }) => ttl === i + 1)?.routers ?? [];
    const answering = routers.filter(({ address }) => address !== null);
    const isDrawn = answering.every(({ address }) => expected.includes(address ?? ""));
    const answered = answering.reduce((sum, router) => sum + router.answered, 0);
    const due = expected.length === 0 ? 0 : flows * queries;
    return isDrawn && answered === due ? [] : [`hop ${i + 1}: ${answered} of ${due}`];
  });
  return [...(complete ? [] : ["not complete"]), ...(reached ? [] : ["not reached"]), ...wrong];
}

test(`${targetsCount} targets from two agents: every result is whole`, async () => {
  const file = join(pipeline.folder, "targets.txt");
  writeFileSync(file, targets.map((target) => `${target}\n`).join(""));
  const words = ["trace", "--from", agents.join(), "-f", file, "-q", String(queries), "-o", "ndjson"];
  const startedAtMs = Date.now();
  const { stdout, stderr, exitCode } = await runToEnd(pipeline.command([...vantageCommand, ...words]), {
    env: pipeline.environment,
  });
  console.log(`${targetsCount} targets in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
  const traces: Trace[] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const lacking = traces.filter((trace) => lacks(trace).length > 0);
  const named = lacking.map((one) => `${one.agent} ${one.target}: ${lacks(one).join(", ")}`);
  expect({ stderr, exitCode, named }).toEqual({ stderr: "", exitCode: 0, named: [] });
  expect(traces.map(({ agent, target }) => `${agent} ${target}`).sort()).toEqual(
    agents.flatMap((agent) => targets.map((target) => `${agent} ${target}`)).sort(),
  );
});
