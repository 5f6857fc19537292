/**
 * Discoveries of kernel routers, again and again, each time with other seeds of the routers' choices: a table of links
 * found, missed and invented. `npm run lab:discovery -- [--runs 20] [--strategies shared,mda] [--confidence 95]`.
 */
import { parseArgs } from "node:util";
import { DiscoveryStage } from "./discovery-stage.ts";
import { Internet } from "./internet.ts";
import { KernelLinks } from "./kernel-links.ts";
import {
  isMultipathTarget,
  multipath,
  multipathRouters,
  multipathSeedOf,
  multipathSource,
  multipathTargets,
} from "./multipath.ts";
import { run } from "./namespaces.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    strategies: { type: "string", default: "shared" },
    confidence: { type: "string", default: "95" },
  },
});
const runs = Number(values.runs);
const strategies = values.strategies.split(",");
const { near, far } = multipathTargets;
const prefixes = { v4: [near.v4, far.v4], v6: [near.v6, far.v6] };
const whole = new Map(strategies.map((strategy) => [strategy, 0]));

/** Links of IPv4 and IPv6 together. */
async function truthOf(net: Internet): Promise<Set<string>> {
  const [four, six] = [
    await KernelLinks.read(net, multipathRouters, "v4"),
    await KernelLinks.read(net, multipathRouters, "v6"),
  ];
  return four.from("gate", prefixes.v4).union(six.from("gate", prefixes.v6));
}

/** Flows take other ways from now on. */
async function reseed(net: Internet, seed: number): Promise<void> {
  const file = "/proc/sys/net/ipv4/fib_multipath_hash_seed";
  await Promise.all(
    multipathRouters.map((name, i) =>
      run(net.at(name, ["sh", "-c", `echo ${multipathSeedOf(seed, i)} > ${file}`])),
    ),
  );
}

await using net = await Internet.start(multipath(1));
await using stage = await DiscoveryStage.open(net, [multipathSource]);
process.stdout.write("run strategy       links missed invented probes rounds\n");
for (let seed = 1; seed <= runs; seed++) {
  await reseed(net, seed);
  const truth = await truthOf(net);
  for (const strategy of strategies) {
    const more = ["--strategy", strategy, "--confidence", values.confidence, "--seed", String(seed)];
    const targets = [...prefixes.v4, ...prefixes.v6];
    await stage.begin({ name: `${strategy}-${seed}`, agents: [multipathSource.node], targets, more });
  }
  for (const strategy of strategies) {
    const name = `${strategy}-${seed}`;
    const { probes_sent: probes, round, run_state: state } = await stage.over(name);
    const found = await stage.links(name, isMultipathTarget);
    const [missed, invented] = [truth.difference(found), found.difference(truth)];
    const isWhole = state === "done" && missed.size + invented.size === 0;
    whole.set(strategy, (whole.get(strategy) ?? 0) + Number(isWhole));
    const figures = [found.size, missed.size, invented.size, probes, round].map((n, i) =>
      String(n).padStart([5, 6, 8, 6, 6][i] ?? 0),
    );
    process.stdout.write(`${String(seed).padStart(3)} ${strategy.padEnd(14)} ${figures.join(" ")}\n`);
    for (const link of [...missed, ...invented]) {
      process.stdout.write(`    ${missed.has(link) ? "missed" : "invented"} ${link}\n`);
    }
  }
}
for (const [strategy, count] of whole) {
  process.stdout.write(`${strategy}: all links and no other in ${count} of ${runs} runs\n`);
}
process.exitCode = [...whole.values()].every((count) => count === runs) ? 0 : 1;
